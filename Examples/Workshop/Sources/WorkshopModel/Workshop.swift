package import Foundation
package import SnapshotStore

/// A pottery: the pieces, the glazes, and what is in the kiln.
package struct Workshop: Model {
  package var pieces = Table<Piece>()
  package var soldPieces = Table<Tombstone<Piece>>()
  package var glazes = Table<Glaze>()
  package var firing = Firing()

  package init() {}

  package static let schema = Schema<Workshop>(
    name: "workshop", version: 1,
    // A piece whose glaze is removed has none.
    rules: [
      Rule("glazes", on: \.glazes) { changes, workshop in
        for change in changes where change.after == nil {
          for piece in Array(workshop.pieces.records(in: Piece.byGlaze, at: change.id)) {
            try workshop.pieces.update(piece.id) { $0.glaze = nil }
          }
        }
      }
    ],
    // Another copy of the file learns which pieces were sold, and when.
    tombstones: [Tombstones(of: \.pieces, in: \.soldPieces)]
  ) {
    Field("pieces", \.pieces)
    Field("soldPieces", \.soldPieces)
    Field("glazes", \.glazes)
    Field("firing", \.firing)
  }

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
