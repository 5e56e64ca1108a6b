/// The migration of a file of an older version to the version of its schema.
public struct MigrationReport: Equatable, Sendable {
  /// The version of the file before the migration.
  public let from: Int
  /// The version of the schema.
  public let to: Int
  /// The names of the steps, in the order in which they ran.
  public let steps: [String]
}

extension MigrationReport {
  /// Nil if no steps ran.
  init?<Root: Model>(of decoded: DecodedSnapshot<Root>) {
    if decoded.steps.isEmpty { return nil }
    self.init(from: decoded.version, to: Root.schema.version, steps: decoded.steps)
  }
}
