package import Foundation
package import SnapshotStore

/// A piece of pottery. Its id is the mark that is scratched into it.
package struct Piece: Record {
  package enum Stage: Codable, Equatable, Sendable {
    case thrown
    case drying(since: Date)
    case fired(at: Int, isGlazed: Bool)
  }

  package struct Size: Codable, Equatable, Sendable {
    package var height: Double
    package var width: Double
  }

  package let id: String
  package var name: String
  package var stage: Stage
  package var size: Size
  package var price: Decimal?
  package var glaze: Glaze.ID?
  package var remarks: [String]
  package var photo: Data?
  package var changed: Date

  package init(_ id: String, _ name: String, height: Double, width: Double, at date: Date) {
    self.id = id
    self.name = name
    stage = .thrown
    size = Size(height: height, width: width)
    remarks = []
    changed = date
  }

  /// The file has the id under another key.
  enum CodingKeys: String, CodingKey {
    case id = "mark"
    case name, stage, size, price, glaze, remarks, photo, changed
  }

  package static let byHeight = Index<Piece, Double>("height") { $0.size.height }
  package static let byGlaze = Index("glaze", key: \Piece.glaze)
  package static let indexes = Indexes(byHeight, byGlaze)

  /// Two copies that changed a piece are merged by this date.
  package static let mergeRules: [MergeRule] = [.modified("changed")]
}

/// A glaze. Its id has two parts.
package struct Glaze: Record {
  package struct ID: Codable, Hashable, Comparable, CustomStringConvertible, Sendable {
    package var maker: String
    package var number: Int

    package init(_ maker: String, _ number: Int) {
      self.maker = maker
      self.number = number
    }

    package var description: String { "\(maker) \(number)" }

    package static func < (a: ID, b: ID) -> Bool { (a.maker, a.number) < (b.maker, b.number) }
  }

  package let id: ID
  package var name: String
  /// The shares of its ingredients.
  package var recipe: [String: Double]
  /// The number of pieces that have it. A rule of the schema computes it.
  package internal(set) var uses = 0

  package init(_ id: ID, _ name: String, recipe: [String: Double]) {
    self.id = id
    self.name = name
    self.recipe = recipe
  }

  enum CodingKeys: String, CodingKey {
    case id = "label"
    case name, recipe, uses
  }

  package static let mergeRules: [MergeRule] = [.derived("uses")]
}
