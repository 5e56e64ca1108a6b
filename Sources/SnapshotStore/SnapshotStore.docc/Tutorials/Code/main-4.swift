import Foundation
import SnapshotStore

let url = URL(filePath: "books.json")
let store = try Store<ReadingList>.open(at: url)

if let title = CommandLine.arguments.dropFirst().first {
  try store.write { try $0.add(title) }
}

for book in store.read({ $0.books }) {
  print(book.id, book.title)
}

try await store.close()
