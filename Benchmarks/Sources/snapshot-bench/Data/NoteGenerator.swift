import Foundation
import SnapshotNotebook
import SnapshotStore

/// Makes a notebook from a seed: the same one for the same seed and number.
struct NoteGenerator {
  private var random: SplitMix64
  private let tags: [Tag.ID]
  private var usedIDs: Set<Int64> = []

  /// Tags and pictures are made first, because notes refer to them.
  static func notebook(notes count: Int, seed: UInt64) throws -> Notebook {
    // Tags take their date from the notebook's clock, which must be the same every time.
    var notebook = Notebook(
      sources: NotebookSources(now: { Date(timeIntervalSinceReferenceDate: 700_000_000.123_456) }))
    var random = SplitMix64(seed: seed)
    var names: Set<String> = []
    while names.count < 200 { names.insert(tagName(&random)) }
    let tags = names.sorted().map { notebook.tag(named: $0).id }
    var generator = NoteGenerator(random: random, tags: tags)
    for _ in 0..<count {
      let pictures = generator.pictures()
      for picture in pictures { try notebook.add(picture) }
      try notebook.upsert(generator.note(pictures: pictures.map(\.id)))
    }
    notebook.sources = NotebookSources()
    return notebook
  }

  /// Notes of one short line without tags, for rows on the number of notes.
  static func shortNotes(_ count: Int, seed: UInt64) -> [Note] {
    var generator = NoteGenerator(random: SplitMix64(seed: seed), tags: [])
    return (0..<count).map { number in
      Note(id: generator.nextID(), text: "Note \(number)", creationDate: generator.date(2012...2026))
    }
  }

  private init(random: SplitMix64, tags: [Tag.ID]) {
    self.random = random
    self.tags = tags
  }

  // MARK: Parts of a note

  private mutating func note(pictures: [Attachment.ID]) -> Note {
    let created = date(2012...2025)
    var note = Note(id: nextID(), text: random.text(bytes: 200...690), creationDate: created)
    // Some notes were changed later, each property at its own time.
    if random.chance(60) { note.setText(note.text + " " + random.pick(Words.plain), at: date(after: created)) }
    if random.chance(30) { note.setArchived(true, at: date(after: created)) }
    if random.chance(40) { note.setSortDate(date(after: created), at: date(after: created)) }
    note.setTags((0..<Int.random(in: 0...3, using: &random)).map { _ in random.pick(tags) }, at: date(after: created))
    note.setAttachments(pictures, at: date(after: created))
    return note
  }

  /// Three notes in a hundred have a picture, or two.
  private mutating func pictures() -> [Attachment] {
    guard random.chance(3) else { return [] }
    return (0..<(random.chance(20) ? 2 : 1)).map { _ in
      Attachment(
        id: String(random.next(), radix: 16), mimeType: random.pick(["image/jpeg", "image/png", "application/pdf"]),
        height: Int.random(in: 100...4000, using: &random), width: Int.random(in: 100...4000, using: &random))
    }
  }

  private mutating func nextID() -> Int64 {
    while true {
      let id = Int64.random(in: 1000...(1 << 53) - 1, using: &random)
      if usedIDs.insert(id).inserted { return id }
    }
  }

  /// A moment with all the digits of a clock.
  private mutating func date(_ years: ClosedRange<Double>) -> Date {
    let year = 365.2425 * 86_400
    let seconds = Double.random(in: (years.lowerBound - 2001) * year...(years.upperBound - 2001) * year, using: &random)
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private mutating func date(after date: Date) -> Date {
    date.addingTimeInterval(Double.random(in: 1...31_000_000, using: &random))
  }

  private static func tagName(_ random: inout SplitMix64) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let name = (0..<Int.random(in: 4...14, using: &random)).map { _ in String(random.pick(letters)) }.joined()
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}
