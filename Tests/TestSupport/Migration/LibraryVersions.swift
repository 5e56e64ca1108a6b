import Foundation

@testable import SnapshotStore

/// A library of books in each version of its program; the last is the current one.
///
/// 1 → 2: the author's name is split in two; `pages` is no longer text; `shelf` is removed. 2 → 3: `books` are called
/// `volumes`; lent ones get a table of their own; `slug` is computed. 3 → 4: `added`, until now a year, becomes a date.
enum Library {
  struct V1: Model {
    var books = Table<Book>()
    static let schema = Schema<V1>("library", version: 1, Field("books", \.books))

    struct Book: Record {
      let id: Int64
      var title: String
      var author: String
      var pages: String
      var shelf: Double?
      var borrower: String?
      var added: Int
      var cover: Data
      var bought: Date
    }
  }

  struct V2: Model {
    var books = Table<Book>()
    static let schema = Schema<V2>("library", version: 2, Field("books", \.books))

    struct Book: Record {
      let id: Int64
      var title: String
      var firstName: String
      var lastName: String?
      var pages: Int?
      var borrower: String?
      var added: Int
      var cover: Data
      var bought: Date
    }
  }

  struct V3: Model {
    var volumes = Table<Volume>()
    var loans = Table<Loan>()
    static let schema = Schema<V3>(
      "library", version: 3,
      Field("volumes", \.volumes),
      Field("loans", \.loans))

    struct Volume: Record {
      let id: Int64
      var title: String
      var slug: String
      var firstName: String
      var lastName: String?
      var pages: Int?
      var added: Int
      var cover: Data
      var bought: Date
    }
  }

  struct Loan: Record {
    let id: Int64
    var title: String
    var borrower: String
  }

  struct Today: Model, Equatable {
    var volumes = Table<Volume>()
    var loans = Table<Loan>()
    static let schema = Schema<Today>(
      "library", version: 4,
      Field("volumes", \.volumes),
      Field("loans", \.loans),
      migrations: migrations,
      defaults: [DefaultValue("volumes", "isSigned", false)])

    struct Volume: Record {
      let id: Int64
      var title: String
      var slug: String
      var firstName: String
      var lastName: String?
      var pages: Int?
      var added: Date
      var cover: Data
      var bought: Date
      var isSigned: Bool
      var note: String?
    }

    static func == (a: Today, b: Today) -> Bool { a.hasSameRecords(as: b) }
  }

  static func slug(_ title: String) -> String { title.lowercased().filter { $0.isLetter } }

  /// The first of January of a year, in UTC; years of the tests have no more than four digits.
  static func newYear(_ year: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(year - 2001) * 31_557_600) }

  static let migrations = [
    Migration("names in two parts", to: 2) { tree in
      try tree["books"].split("author", into: ["firstName", "lastName"]) { name in
        let words = (name.text ?? "").split(separator: " ", maxSplits: 1).map { UntypedValue(String($0)) }
        return [words.first ?? "", words.dropFirst().first]
      }
    },
    Migration("pages are numbers", to: 2) { tree in
      try tree["books"].retype("pages") { Int($0.text ?? "").map { UntypedValue($0) } }
      try tree["books"].drop("shelf")
    },
    Migration("books are volumes, loans stand apart", to: 3) { tree in
      try tree.renameTable("books", to: "volumes")
      for record in try tree["volumes"].records() {
        guard let id = record["id"], let title = record["title"], let borrower = record["borrower"] else { continue }
        tree["loans"].append(["id": id, "title": title, "borrower": borrower])
      }
      try tree["volumes"].drop("borrower")
      try tree["volumes"].compute("slug") { UntypedValue(slug($0["title"]?.text ?? "")) }
    },
    Migration("added on a day", to: 4) { tree in
      try tree["volumes"].rename("added", to: "year")
      try tree["volumes"].compute("added") { $0["year"]?.integer.map { UntypedValue(newYear(Int($0))) } }
      try tree["volumes"].drop("year")
    },
  ]
}

// MARK: - The same in plain Swift

extension Library.V2 {
  init(_ old: Library.V1) throws {
    for book in old.books {
      let words = book.author.split(separator: " ", maxSplits: 1).map(String.init)
      try books.insert(
        Book(
          id: book.id, title: book.title, firstName: words.first ?? "", lastName: words.dropFirst().first,
          pages: Int(book.pages), borrower: book.borrower, added: book.added, cover: book.cover, bought: book.bought))
    }
  }
}

extension Library.V3 {
  init(_ old: Library.V2) throws {
    for book in old.books {
      try volumes.insert(
        Volume(
          id: book.id, title: book.title, slug: Library.slug(book.title), firstName: book.firstName,
          lastName: book.lastName, pages: book.pages, added: book.added, cover: book.cover, bought: book.bought))
      guard let borrower = book.borrower else { continue }
      try loans.insert(Library.Loan(id: book.id, title: book.title, borrower: borrower))
    }
  }
}

extension Library.Today {
  init(_ old: Library.V3) throws {
    loans = old.loans
    for old in old.volumes {
      try volumes.insert(
        Volume(
          id: old.id, title: old.title, slug: old.slug, firstName: old.firstName, lastName: old.lastName,
          pages: old.pages, added: Library.newYear(old.added), cover: old.cover, bought: old.bought, isSigned: false))
    }
  }
}
