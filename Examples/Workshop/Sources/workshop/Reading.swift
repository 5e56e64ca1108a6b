import Foundation
import SnapshotStore
import WorkshopModel

/// A list that follows the store receives only real differences.
func follow(_ store: Store<Workshop>) async throws {
  print("Live lists")
  var updates = store.observe(\.pieces, where: { $0.size.height < 25 }, sortedBy: { $0.name }).makeAsyncIterator()
  print("  at first:", await updates.next()?.list.map(\.name) ?? [])
  try store.write { workshop in
    try workshop.pieces.update("K-3") { $0.name = "Dish" }
    try workshop.pieces.update("K-5") { $0.price = 9 }
    try workshop.pieces.insert(Piece("K-6", "Lid", height: 3, width: 9, at: .day(6)))
  }
  if let update = await updates.next(), let batch = update.batch {
    print("  then:", batch.inserts.count, "new,", batch.moves.count, "moved:", update.list.map(\.name))
  }
}

/// Words anywhere, without case and accents, and pages through an index.
func find(in store: Store<Workshop>) async throws {
  print("Search and pages")
  let query = SearchQuery("cafe")
  for piece in try await store.search(\.pieces, in: [\.name, \.remarks], for: query) {
    print("  found:", query.ranges(in: piece.name).map { piece.name[$0] }, "in", piece.id)
  }
  let pieces = store.snapshot().value.pieces
  var page = pieces.page(in: Piece.byHeight, order: .descending, limit: 2)
  while let last = page.last {
    print("  page:", page.map(\.record.id))
    page = pieces.page(in: Piece.byHeight, order: .descending, after: last.position, limit: 2)
  }
}
