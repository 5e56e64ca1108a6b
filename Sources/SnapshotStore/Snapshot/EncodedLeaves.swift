/// The places of tables' leaves in a file.
///
/// A leaf is identified by its table and its node. One node may be in several tables, with different bytes in each. A
/// line of NDJSON names its table, and each table has its own unknown keys. The bytes also depend on the format and on
/// the unknown content, so leaves are reused only if both are the same. They do not depend on the version or the
/// defaults of a schema.
///
/// A node stays alive, and so does not change, as long as the written value is kept.
struct EncodedLeaves: Sendable {
  struct Leaf: Sendable {
    var stretch: PiecedBytes.Stretch
    let checksum: Checksum
    /// Whether the leaf is the last one of its table, and so has no separator at its end.
    let isLast: Bool
  }

  /// Leaves by the identities of their nodes.
  typealias Leaves = [ObjectIdentifier: Leaf]

  private let format: FileFormat?
  private let unknown: UnknownContent
  private var tables: [String: Leaves] = [:]

  /// An empty list, for a file in a format with some unknown content.
  init(format: FileFormat, unknown: UnknownContent) {
    self.format = format
    self.unknown = unknown
  }

  /// An empty list, for a first save.
  init() {
    format = nil
    unknown = UnknownContent()
  }

  var isEmpty: Bool { tables.isEmpty }

  func leaves(of table: String) -> Leaves { tables[table] ?? [:] }

  mutating func add(_ leaf: Leaf, _ node: ObjectIdentifier, of table: String) {
    tables[table, default: [:]][node] = leaf
  }

  /// Whether the same leaves would have the same bytes in the file of another list.
  func canBeUsed(for others: EncodedLeaves) -> Bool {
    format == others.format && unknown.isSame(as: others.unknown)
  }

  /// The same leaves with all offsets moved by a number of bytes.
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
