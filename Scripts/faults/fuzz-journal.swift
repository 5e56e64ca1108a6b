// The journal for `Scripts/faults/fuzz-readers`. An input is the lines of a journal without their frames: the keys from
// `ids` on. The target adds the frames and the checksums; otherwise no input would reach the code after them.

import Foundation

@testable import SnapshotNotebook
@testable import SnapshotStore

/// A journal, read in every possible way.
struct FuzzedJournal {
  let input: [UInt8]
  let limits: ReadLimits

  /// The file on which all journals stand.
  private static let file = Result {
    var notebook = Notebook()
    notebook.deletedNotes = try Table([DeletedNote(id: 1004, deletionDate: nil)])
    notebook.attachments = try Table([Attachment(id: "5f1e0c", mimeType: "", height: 1, width: 2)])
    notebook.notes = try Table(
      (1000..<1003).map { Note(id: $0, text: "\($0)", creationDate: Date(timeIntervalSinceReferenceDate: 0.5)) })
    return try SnapshotFile.encode(notebook, as: .json, threads: 1)
  }

  /// Its content with and without types. Reading it for each input would take most of the time.
  private static let typed: SnapshotContent<Notebook> = content()
  private static let untyped: SnapshotContent<UntypedModel> = content()

  private static func content<Root: Model>() -> SnapshotContent<Root> {
    do {
      return try SnapshotFile.decodeContent(from: try file.get(), options: ReadOptions(threads: 1))
    } catch {
      fatalError("the file cannot be read: \(error)")
    }
  }

  private static let date = "\"date\":\"2026-11-23T17:00:00Z\""

  func check() {
    // The bytes as they are: no line of them will be right, but nothing must trap.
    checkSalvage(of: input)
    let bytes = framed()
    checkSalvage(of: bytes)
    let journal: Journal
    do throws(SnapshotError) {
      journal = try Journal(bytes, limits: limits)
    } catch {
      return check(error, in: bytes)
    }
    if journal.tornBytes > 0 { fatalError("the last line is right") }
    let direct = replay(journal, threads: 1)
    if input.count(where: { $0 == UInt8(ascii: ",") }) < 200 {
      switch (direct, replay(journal, threads: 1, readsItemsOnly: true)) {
      case (.success(let a), .success(let b)):
        if written(a) != written(b) { fatalError("the ways read different values") }
      case (.failure(let a), .failure(let b)):
        // The description repeats these, and takes longer to make than the replay.
        if a.code != b.code || a.message != b.message || a.position != b.position {
          fatalError("the ways differ: \(a) / \(b)")
        }
      default: fatalError("the ways differ in what they accept")
      }
    }
    if bytes.count % 16 == 0 { checkThreads(bytes, direct) }
    switch direct {
    case .success(let content): check(content, journal)
    case .failure(let error): check(error, in: bytes)
    }
  }

  /// A journal of the lines of the input.
  private func framed() -> [UInt8] {
    let base = "\"base\":{\"checksum\":1,\"size\":2}"
    let header = "{\"journal\":1,\"schema\":\"notebook\",\"version\":1,\(Self.date),\(base)"
    var bytes: [UInt8] = []
    var last = append(Array(header.utf8), to: &bytes)
    for (number, content) in input.split(separator: 0x0A).enumerated() {
      last = append(Array("{\"n\":\(number + 1),\"after\":\(last),\(Self.date),".utf8) + content, to: &bytes)
    }
    return bytes
  }

  /// Adds a line with its checksum, and returns that.
  private func append(_ line: [UInt8], to bytes: inout [UInt8]) -> UInt32 {
    let sum = Checksum.cksum(line[...])
    bytes += line
    bytes += Array(",\"sum\":\(sum)}\n".utf8)
    return sum
  }

  private func replay(
    _ journal: Journal, threads: Int, readsItemsOnly: Bool = false
  ) -> Result<SnapshotContent<Notebook>, SnapshotError> {
    do throws(SnapshotError) {
      var limits = limits
      limits.readsItemsOnly = readsItemsOnly
      // With this limit, no record reads itself.
      if readsItemsOnly { limits.elementCount = 255 }
      let options = DecodingOptions(unknownKeys: .keep, threads: threads)
      return .success(
        try journal.replay(journal.lines[...], onto: Self.typed, options, idKeys: [:], limits: limits))
    } catch {
      return .failure(error)
    }
  }

  private func checkThreads(_ bytes: [UInt8], _ one: Result<SnapshotContent<Notebook>, SnapshotError>) {
    guard let journal = try? Journal(bytes, limits: limits, threads: 2) else { fatalError("threads differ") }
    switch (one, replay(journal, threads: 2)) {
    case (.success(let a), .success(let b)): if written(a) != written(b) { fatalError("threads read different values") }
    case (.failure(let a), .failure(let b)): if "\(a)" != "\(b)" { fatalError("threads differ: \(a) / \(b)") }
    default: fatalError("threads differ in what they accept")
    }
  }

  /// The value is valid, and is the same without types.
  private func check(_ content: SnapshotContent<Notebook>, _ journal: Journal) {
    let bytes = written(content)
    // A built table has the same indexes, so it breaks the same rules.
    if read(bytes)?.value.allViolations() != content.value.allViolations() {
      fatalError("the value is not what its file gives")
    }
    // Lines that lie about ids, or about old records, mean something else without types.
    let text = String(decoding: input, as: UTF8.self)
    if text.contains("\"ids\"") || text.contains("\"old\"") { return }
    do throws(SnapshotError) {
      let untyped = try untypedReplay(journal)
      // Ids that are equal in Swift may have different bytes.
      guard let again = read(written(untyped)) else { return }
      if written(again) != bytes { fatalError("another value without types") }
    } catch {
      // Such a removal does nothing with types.
      if error.code != .recordNotFound { fatalError("only the way with types accepts; the other says \(error)") }
    }
  }

  /// The content of a file; nil if two records have one id.
  private func read(_ bytes: [UInt8]) -> SnapshotContent<Notebook>? {
    do {
      return try SnapshotFile.decodeContent(from: bytes, options: ReadOptions(threads: 1))
    } catch let error as SnapshotError where error.code == .duplicate {
      return nil
    } catch {
      fatalError("what was replayed cannot be read: \(error)")
    }
  }

  private func untypedReplay(_ journal: Journal) throws(SnapshotError) -> SnapshotContent<UntypedModel> {
    try journal.replay(
      journal.lines[...], onto: Self.untyped, DecodingOptions(unknownKeys: .keep), idKeys: [:], limits: limits)
  }

  /// A salvage uses every line that a strict reader uses, and its losses are in the file.
  private func checkSalvage(of bytes: [UInt8]) {
    let salvaged = Journal(salvaging: bytes, limits: limits)
    if !(0...bytes.count).contains(salvaged.tornBytes) { fatalError("more torn bytes than bytes") }
    for loss in salvaged.losses where loss.range.lowerBound < 0 || loss.range.upperBound > bytes.count {
      fatalError("a loss outside of the file")
    }
    guard let strict = try? Journal(bytes, limits: limits) else { return }
    if salvaged.lines.count != strict.lines.count || !salvaged.losses.isEmpty || salvaged.end != strict.end {
      fatalError("a salvage of a whole journal loses something")
    }
  }

  private func check(_ error: SnapshotError, in bytes: [UInt8]) {
    let text = error.description
    if text.unicodeScalars.contains(where: \.isUnsafeInMessage) { fatalError("an unsafe character in: \(text)") }
    if text.unicodeScalars.count > 1_000 { fatalError("a message of \(text.unicodeScalars.count) characters") }
    guard let position = error.position else { return }
    if position != SnapshotError.Position(offset: position.offset, inText: bytes) {
      fatalError("line and column are not those of the offset: \(error)")
    }
  }

  private func written(_ content: SnapshotContent<some Model>) -> [UInt8] {
    guard let encoded = try? SnapshotFile.encode(content, as: .json, threads: 1) else { fatalError("unencodable") }
    return encoded
  }
}
