import Foundation
import SnapshotStore

let url = URL(filePath: "books.json")
let store = try Store<ReadingList>.open(at: url)
let commands = Commands(store: store)
let screen = Task.detached { await follow(store) }

while let line = readLine() {
  do {
    try commands.run(line)
  } catch {
    print(error)
  }
}

try await store.close()
await screen.value
