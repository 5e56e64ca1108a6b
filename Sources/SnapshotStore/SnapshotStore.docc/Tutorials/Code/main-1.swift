import Foundation
import SnapshotStore

let url = URL(filePath: "books.json")
let store = try Store<ReadingList>.open(at: url)
print(store.read { $0.books.count }, "books")
