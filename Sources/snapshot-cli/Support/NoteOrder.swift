import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// An order of notes that the user chooses.
enum NoteOrder: String, CaseIterable {
  case date, created, changed, title

  static var candidates: [Candidate] {
    [
      Candidate(date.rawValue, "newest first, by the day of the list"), Candidate(created.rawValue, "newest first"),
      Candidate(changed.rawValue, "last changed first"), Candidate(title.rawValue, "from A to Z"),
    ]
  }

  /// Notes of a timeline in this order. Equal notes keep their order.
  func sorted(_ notes: [Note]) -> [Note] {
    switch self {
    case .date: notes
    case .created: Self.sorted(notes, by: { $0.creationDate }, >)
    case .changed: Self.sorted(notes, by: { $0.modificationDate }, >)
    case .title: Self.sorted(notes, by: { FoldedText($0.title).text }, <)
    }
  }

  /// Each key is computed once.
  private static func sorted<Key: Comparable>(
    _ notes: [Note], by key: (Note) -> Key, _ isBefore: (Key, Key) -> Bool
  ) -> [Note] {
    let keyed = notes.enumerated().map { (key: key($1), place: $0, note: $1) }
    return keyed.sorted { a, b in a.key == b.key ? a.place < b.place : isBefore(a.key, b.key) }.map(\.note)
  }
}
