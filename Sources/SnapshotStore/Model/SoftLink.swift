/// A reference to a record that may be missing or elsewhere: in another table, in another store, in a later version.
///
/// In a file a link is only the id. So a stored id can become a link without a change of the file. The other record may
/// be removed at any time. ``Table/resolve(_:)`` finds the targets of many links in one pass, and names missing ones.
///
/// ```swift
/// struct Plan: Record {
///   let id: Int
///   var recipe: SoftLink<Recipe>
/// }
/// ```
public struct SoftLink<Target: Record>: Hashable, Sendable {
  /// The id of the target record.
  public let id: Target.ID

  /// A link to the record with an id.
  public init(_ id: Target.ID) { self.id = id }

  /// A link to a record.
  public init(to target: Target) { id = target.id }
}

extension SoftLink: Encodable where Target.ID: Encodable {
  /// Writes the id.
  public func encode(to encoder: any Encoder) throws {
    // Only a container knows the types with a special form, such as dates.
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
