import Foundation
import SnapshotStore
import WorkshopModel

/// Two copies of one file are merged without their common past: by dates, and by the tombstones of sold pieces.
func mergeCopies() throws {
  print("Two copies")
  let (home, market) = (Store(try Workshop.sample()), Store(try Workshop.sample()))
  try home.write { try $0.pieces.update("K-1") { ($0.price, $0.changed) = (35, .day(10)) } }
  try market.write { try $0.pieces.update("K-1") { ($0.price, $0.changed) = (30, .day(11)) } }
  try market.write { $0.pieces.remove("K-4") }

  let changed = market.snapshot().value.changed(since: .day(10))
  print("  to send:", changed.pieces.map(\.id), "and", changed.soldPieces.count, "tombstone")
  let merged = SnapshotContent.merging(
    ours: SnapshotContent(home.snapshot().value), theirs: SnapshotContent(market.snapshot().value))
  let workshop = merged.content.value
  print("  merged:", workshop.pieces.map { "\($0.id) \($0.price ?? 0)" }, "conflicts:", merged.conflicts.count)
  print("  the market lacks:", workshop.missing(from: market.snapshot().value).pieces.count, "pieces")
}

/// CSV for a spreadsheet, and lines of JSON for scripts.
func exchange() throws {
  print("CSV and NDJSON")
  let pieces = try Workshop.sample().pieces
  let csv = try pieces.csv()
  for line in String(decoding: csv, as: UTF8.self).split(whereSeparator: \.isNewline).prefix(2) { print("  \(line)") }
  let same = try Table(Table<Piece>.records(csv: csv)) == pieces
  let sameLines = try Table(Table<Piece>.records(ndjson: pieces.ndjson())) == pieces
  print("  read back:", same, sameLines)
}
