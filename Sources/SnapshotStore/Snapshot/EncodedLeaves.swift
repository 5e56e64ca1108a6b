/// Where the leaves of tables stand in a file.
///
/// A leaf is known by the table that it is in and the identity of its node. One node can be in several tables, and has other bytes in each:
/// each line of NDJSON names its table, and each table has unknown keys of its own. The bytes depend on the format and on the unknown
/// content too, so leaves are taken only where both are the same. Nothing else is in them: a schema's version and defaults are not.
///
/// The node lives, and so does not change, as long as the value is kept that was written.
struct EncodedLeaves: Sendable {
  struct Leaf: Sendable {
    var stretch: PiecedBytes.Stretch
    let checksum: Checksum
    /// Whether it is the last one of its table, and so without what separates it from a next one.
    let isLast: Bool
  }

  /// Leaves by the identities of their nodes.
  typealias Leaves = [ObjectIdentifier: Leaf]

  private let format: FileFormat?
  private let unknown: UnknownContent
  private var tables: [String: Leaves] = [:]

  /// No leaves yet, of a file in a format with some unknown content.
  init(format: FileFormat, unknown: UnknownContent) {
    self.format = format
    self.unknown = unknown
  }

  /// No leaves, for a first save.
  init() {
    format = nil
    unknown = UnknownContent()
  }

  var isEmpty: Bool { tables.isEmpty }

  func leaves(of table: String) -> Leaves { tables[table] ?? [:] }

  mutating func add(_ leaf: Leaf, _ node: ObjectIdentifier, of table: String) {
    tables[table, default: [:]][node] = leaf
  }

  /// Whether a file that others are for would hold the same bytes for the same leaves.
  func canBeUsed(for others: EncodedLeaves) -> Bool {
    format == others.format && unknown.isSame(as: others.unknown)
  }

  /// The same with a number of bytes before everything.
  func moved(by count: Int) -> EncodedLeaves {
    var moved = self
    moved.tables = tables.mapValues { leaves in
      leaves.mapValues { leaf in
        let old = leaf.stretch
        var leaf = leaf
        leaf.stretch = PiecedBytes.Stretch(offset: old.offset + count, count: old.count, digest: old.digest)
        return leaf
      }
    }
    return moved
  }
}
