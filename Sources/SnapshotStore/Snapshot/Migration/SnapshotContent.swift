/// All that a file holds: the value of its model, and what its schema does not know.
///
/// The value alone cannot be written back without a loss if a newer program has put keys or tables into the file. This can: what is
/// unknown goes with the records that it belongs to, in any format, through differences and merges.
///
/// ```swift
/// let content = try SnapshotFile.readContent(Library.self, at: old)
/// try SnapshotFile.write(SnapshotFile.encode(content, as: .xml).bytes, to: new, replacing: false)
/// ```
public struct SnapshotContent<Root: Model>: Sendable {
  /// The value of the model, which may be changed. Unknown keys of a record that is removed are not written, and are written again if a
  /// record of its id comes back.
  public var value: Root
  /// What the schema does not know.
  var unknown = UnknownContent()

  /// A value, and nothing that is unknown.
  public init(_ value: Root) { self.value = value }

  init(_ value: Root, _ unknown: UnknownContent) {
    self.value = value
    self.unknown = unknown
  }

  init(_ decoded: DecodedSnapshot<Root>) {
    value = decoded.root
    unknown = decoded.unknown
  }

  /// The tables that the schema does not know, and the keys of records that these do not ask for, sorted.
  public var unknownKeys: [UnknownKey] { unknown.report }
}
