import Foundation
import SnapshotStore

let url = URL(filePath: "books.json")
let store = try Store<ReadingList>.open(at: url)
let screen = Task.detached { await follow(store) }

while let line = readLine() {
  try store.write { try $0.add(line) }
}

try await store.close()
await screen.value
