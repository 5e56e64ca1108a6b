import Foundation
import SnapshotStore
import WorkshopModel

/// Every transaction is a step that can be undone. An undo has a new date, so a later merge does not revert it.
func undo(in store: Store<Workshop>) throws {
  print("Undo")
  let history = UndoHistory(of: store)
  try history.perform("Sell the moon jar") { $0.pieces.remove("K-2") }
  print("  sold:", store.read { $0.soldPieces.map(\.id) })
  try history.undo()
  print("  undone:", store.read { $0.pieces["K-2"]?.name ?? "–" }, store.read { $0.soldPieces.count }, "sold")
  try history.redo()
  try history.undo()
  try history.perform("No more celadon") { $0.glazes.remove(Glaze.ID("Ash & Co", 7)) }
  // The relation of the schema took the glaze off its pieces, in the same transaction.
  print("  without a glaze:", store.read { $0.pieces.filter { $0.glaze == nil }.map(\.id) })
  try history.undo()
  print("  undone:", store.read { $0.pieces.filter { $0.glaze == nil }.count }, "without a glaze")
}

/// A form is edited in a scratchpad while others change the store. Both changes are there in the end.
func stage(in store: Store<Workshop>) throws {
  print("Scratchpads")
  let pad = store.scratchpad()
  try pad.write { try $0.pieces.update("K-1") { $0.price = 35 } }
  try store.write { try $0.pieces.update("K-1") { $0.remarks.append("for Ada") } }
  try pad.commit()
  print("  merged:", store.read { $0.pieces["K-1"].map { "\($0.price ?? 0), \($0.remarks)" } ?? "–" })

  try pad.write { try $0.pieces.update("K-1") { $0.name = "Bowl" } }
  try store.write { try $0.pieces.update("K-1") { $0.name = "Cup" } }
  do {
    try pad.commit()
  } catch let refusal as TransactionRefusal {
    print("  conflict:", refusal.conflicts.map { "\($0.id) \($0.properties)" })
  }
  try pad.commit(policy: .ours)
  print("  the name of the store stays:", store.read { $0.pieces["K-1"]?.name ?? "–" })
}
