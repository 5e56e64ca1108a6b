/// A record's reference to one that may be elsewhere, or nowhere: in another table, in another store, in a version to come.
///
/// A link is the id and nothing else, also in a file, so that a stored id can become a link without changing a byte. Nothing
/// keeps the other record from being removed; ``Table/resolve(_:)`` says which links lead somewhere, all in one pass.
///
/// ```swift
/// struct Plan: Record {
///   let id: Int
///   var recipe: SoftLink<Recipe>
/// }
/// ```
public struct SoftLink<Target: Record>: Hashable, Sendable {
  /// The id of the record that is meant.
  public let id: Target.ID

  /// A link to the record with an id.
  public init(_ id: Target.ID) { self.id = id }

  /// A link to a record.
  public init(to target: Target) { id = target.id }
}

extension SoftLink: Encodable where Target.ID: Encodable {
  /// Writes the id.
  public func encode(to encoder: any Encoder) throws {
    // Only a container knows the types that have a form of their own, as dates have.
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

extension SoftLink: Decodable where Target.ID: Decodable {
  /// Reads the id.
  public init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(Target.ID.self)
  }
}
