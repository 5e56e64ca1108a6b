import Foundation
import SnapshotStore

/// Runs the lines of input.
struct Commands {
  let history: UndoHistory<ReadingList>

  init(store: Store<ReadingList>) { history = UndoHistory(of: store) }

  func run(_ line: String) throws {
    let command = line.prefix { $0 != " " }
    let rest = line.dropFirst(command.count)
      .trimmingCharacters(in: .whitespaces)
    switch command {
    case "add":
      try history.perform("Add Book") { try $0.add(rest) }
    case "read":
      guard let id = Int(rest) else { break }
      try history.perform("Mark as Read") {
        try $0.books.update(id) { $0.isRead = true }
      }
    case "undo":
      try history.undo()
    case "redo":
      try history.redo()
    default:
      print("add TITLE, read NUMBER, undo, redo; Control-D ends")
    }
  }
}
