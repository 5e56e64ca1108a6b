public import SnapshotFoundation
public import SnapshotStore

/// Stores from fixtures.
extension Store {
  /// A store in memory that begins with a copy of a fixture. The file is never changed, whatever the test writes.
  ///
  /// Unknown tables and keys are left out of the copy. The `openReport` of a store from `open(fixture:)`, which accepts
  /// the same files, lists them.
  ///
  /// - Throws: `SnapshotError`.
  public convenience init(fixture url: URL) throws {
    self.init(try SnapshotFile.read(Root.self, at: url, options: ReadOptions(leavesOutUnknownKeys: true)))
  }

  /// A store that reads a fixture and refuses every write. Several may be open at once. Unknown tables and keys are
  /// accepted.
  ///
  /// - Throws: `SnapshotError`.
  public static func open(fixture url: URL) throws -> Store {
    try open(at: url, options: StoreOptions(policy: .readOnly))
  }
}
