package import Foundation
package import SnapshotStore

/// A pottery: the pieces, the glazes, and what is in the kiln.
package struct Workshop: Model {
  package var pieces = Table<Piece>()
  package var soldPieces = Table<Tombstone<Piece>>()
  package var glazes = Table<Glaze>()
  package var firing = Firing()

  package init() {}

  package static let schema = Schema(
    "workshop", version: 1,
    Field("pieces", \Workshop.pieces),
    Field("soldPieces", \Workshop.soldPieces),
    Field("glazes", \Workshop.glazes),
    Field("firing", \Workshop.firing),
    defaults: [DefaultValue("glazes", "uses", 0)],
    // A piece whose glaze is removed has none.
    relations: [Relation(\.pieces, Piece.byGlaze, to: \.glazes, onRemove: .clear(\.glaze))],
    rules: [
      Rule("uses", on: \.pieces) { changes, workshop in
        for case let glaze? in Set(changes.flatMap { [$0.before?.glaze, $0.after?.glaze] })
        where workshop.glazes.contains(glaze) {
          let uses = workshop.pieces.count(in: Piece.byGlaze, at: glaze)
          try workshop.glazes.update(glaze) { $0.uses = uses }
        }
      }
    ],
    // Another copy of the file learns which pieces were sold, and when.
    tombstones: [Tombstones(of: \.pieces, in: \.soldPieces)])

  /// Takes a piece one stage further, at a temperature if it goes into the kiln.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound`.
  package mutating func advance(_ id: Piece.ID, to stage: Piece.Stage, at date: Date) throws {
    try pieces.update(id) { piece in
      piece.stage = stage
      piece.changed = date
    }
  }
}

/// A value beside the tables.
package struct Firing: Codable, Equatable, Sendable {
  package var temperature = 1_240
  /// The temperatures of the log, by the hour.
  package var log: [Int: Int] = [:]

  package init() {}
}
