import Foundation
import SnapshotStore

/// Runs the lines of input.
struct Commands {
  let store: Store<ReadingList>

  func run(_ line: String) throws {
    let command = line.prefix { $0 != " " }
    let rest = line.dropFirst(command.count)
      .trimmingCharacters(in: .whitespaces)
    switch command {
    case "add":
      try store.write { try $0.add(rest) }
    case "read":
      guard let id = Int(rest) else { break }
      try store.write { try $0.books.update(id) { $0.isRead = true } }
    default:
      print("add TITLE, read NUMBER; Control-D ends")
    }
  }
}
