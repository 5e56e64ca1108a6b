#if canImport(SwiftUI) && DEBUG
  import SnapshotStore
  import SwiftUI

  /// A model for the previews of this module, in a store in memory.
  private struct Shelf: Model {
    struct Book: Record {
      var id: Int
      var title: String
    }

    var books = Table<Book>()

    static let schema = Schema<Shelf>("shelf", version: 1, Field("books", \.books))

    @MainActor static let store: Store<Shelf> = {
      var shelf = Shelf()
      for (id, title) in ["Emma", "Middlemarch", "Walden"].enumerated() {
        _ = try? shelf.books.insert(Book(id: id, title: title))
      }
      return Store(shelf)
    }()
  }

  private struct BookList: View {
    @LiveRecords private var books: LiveList<Shelf.Book, NoSections>

    init(_ store: Store<Shelf>) { _books = LiveRecords(store.observe(\.books, sortedBy: \.title)) }

    var body: some View { List(books) { Text($0.title) } }
  }

  private struct BookCount: View {
    @LiveValue<Shelf, Int> private var count: Int

    init(_ store: Store<Shelf>) { _count = LiveValue(store.observe { $0.books.count }) }

    var body: some View { Text("Books: \(count)") }
  }

  struct BookListPreviews: PreviewProvider {
    static var previews: some View { BookList(Shelf.store) }
  }

  struct BookCountPreviews: PreviewProvider {
    static var previews: some View { BookCount(Shelf.store) }
  }
#endif
