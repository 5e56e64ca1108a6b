import SnapshotNotebook
import SnapshotStore

/// The list of a window. The page has the first rows of it, and gets more when it scrolls.
struct WindowList {
  typealias Update = LiveList<Note, NoSections>.Updates.Update
  typealias List = LiveList<Note, NoSections>

  let query: SearchQuery
  /// The list now; nil until the first update.
  private(set) var notes: List?
  /// The number of rows that the page has. It is the same number on the page, because all events arrive in order.
  private var sent = 0

  private static let page = 100

  init(_ query: SearchQuery) { self.query = query }

  /// A change of the rows that the page has.
  struct Change: Encodable {
    /// Whether the page begins anew.
    var isNew = false
    /// The number of all notes in the list.
    var count = 0
    /// The ids of rows to remove, before the others are placed.
    var removed: [String] = []
    /// Rows to insert, in this order.
    var inserted: [Placed] = []
    /// Rows whose content has changed.
    var updated: [NoteRow] = []
  }

  struct Placed: Encodable {
    let index: Int
    let row: NoteRow
  }

  /// Takes the next state of the list, and tells the page what is different.
  mutating func take(_ update: Update, in notebook: Notebook) -> Change {
    let list = update.list
    defer { notes = list }
    var change = Change(count: list.count)
    if let batch = update.batch {
      change.removed = (batch.deletes + batch.moves.map(\.old)).filter { $0 < sent }.map { "\(batch.before[$0].id)" }
      sent -= change.removed.count
      // A row after the last one of the page arrives when the page scrolls, or below if the page is short.
      for index in (batch.inserts + batch.moves.map(\.new)).sorted() where index < sent {
        change.inserted.append(Placed(index: index, row: NoteRow(list[index], query, in: notebook)))
        sent += 1
      }
      change.updated = batch.updates.filter { $0.new < sent }.map { NoteRow(list[$0.new], query, in: notebook) }
    } else {
      change.isNew = true
      sent = 0
    }
    change.inserted += rows(upTo: max(sent, Self.page), of: list, in: notebook)
    return change
  }

  /// The next rows.
  mutating func more(in notebook: Notebook) -> Change? {
    guard let notes else { return nil }
    return Change(count: notes.count, inserted: rows(upTo: sent + Self.page, of: notes, in: notebook))
  }

  private mutating func rows(upTo end: Int, of list: List, in notebook: Notebook) -> [Placed] {
    let range = sent..<max(sent, min(end, list.count))
    sent = range.upperBound
    return range.map { Placed(index: $0, row: NoteRow(list[$0], query, in: notebook)) }
  }
}

extension Window {
  /// Lists other notes: a live query in place of the one before.
  func showList(_ choice: ListChoice, search: String) {
    let query = SearchQuery(search)
    list = nil
    let updates = store.observe(
      \.notes, where: { choice.includes($0) && query.matches($0.text) }, sortedBy: \.sortDate, order: .descending)
    follow(.list) { window in
      for await update in updates { await window.take(update, query) }
    }
  }

  private func take(_ update: WindowList.Update, _ query: SearchQuery) {
    // An update of the query before may have waited for this actor.
    if Task.isCancelled { return }
    var list = list ?? WindowList(query)
    outbox.send("list", list.take(update, in: store.snapshot().value))
    self.list = list
  }

  func sendMore() {
    guard let change = list?.more(in: store.snapshot().value) else { return }
    outbox.send("list", change)
  }
}
