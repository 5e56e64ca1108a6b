public import SnapshotFoundation
public import SnapshotStore

/// Stores that are opened from fixtures.
extension Store {
  /// A store in memory that begins with a copy of what a fixture holds. The file is never touched, whatever the test writes.
  ///
  /// Tables and keys that the schema does not know are left out of the copy. The `openReport` of a store from
  /// `open(fixture:)`, which takes the same files, lists them.
  ///
  /// - Throws: `SnapshotError`.
  public convenience init(fixture url: URL) throws {
    self.init(try SnapshotFile.read(Root.self, at: url, leavingOutUnknownKeys: true))
  }

  /// A store that reads a fixture and refuses every write; several may be open at once. Tables and keys that the schema does not
  /// know are no obstacle.
  ///
  /// - Throws: `SnapshotError`.
  public static func open(fixture url: URL) throws -> Store {
    try open(at: url, options: StoreOptions(policy: .readOnly))
  }
}
