import Foundation
import SnapshotNotebook
import SnapshotStore

/// The content of a store at each revision: always the same notes, of which each revision changes one. So the bytes of
/// a file identify the revision, and show whether it is complete.
struct Ledger {
  let notes: Int
  let padding: Int
  /// −1 without notes; 0 when all are there.
  var revision = -1

  /// The notes that the next revision adds.
  func next() -> [Note] {
    let next = revision + 1
    return (next == 0 ? Array(0..<notes) : [next % notes]).map { index in
      let head = "note \(digits(index, 6)) at revision \(digits(next, 10)) "
      let text = head + String(repeating: "é.", count: padding / 3)
      return Note(id: Int64(1_000 + index), text: text, creationDate: Date(timeIntervalSince1970: 1_700_000_000))
    }
  }

  /// The revision of the content of a file.
  static func revision(of notebook: Notebook) -> Int {
    notebook.notes.compactMap { note in
      note.text.split(separator: " ").dropFirst(4).first.flatMap { Int($0) }
    }.max() ?? -1
  }

  private func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
