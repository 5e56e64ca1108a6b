import SnapshotStore

struct Book: Record {
  let id: Int
  var title: String
  var isRead = false
}

struct ReadingList: Model {
  var books = Table<Book>()

  static let schema = Schema(

    "reading-list", version: 1, Field("books", \ReadingList.books))

  mutating func add(_ title: String) throws {
    try books.insert(Book(id: 1 + (books.last?.id ?? 0), title: title))
  }
}
