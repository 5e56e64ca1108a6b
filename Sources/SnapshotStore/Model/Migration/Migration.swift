/// One step from an older version of a schema to a newer one, over the untyped tree of a file.
///
/// ```swift
/// let names = Migration("names in two parts", to: 2) { tree in
///   try tree["people"].split("name", into: ["first", "last"]) { name in
///     let words = (name.text ?? "").split(separator: " ", maxSplits: 1)
///     let values = words.map { UntypedValue(String($0)) }
///     return [values.first ?? "", values.dropFirst().first ?? ""]
///   }
/// }
/// ```
///
/// Never change or remove a step after it was shipped, because files of the older version still exist. A step runs
/// whenever such a file is opened, before anything is decoded. It runs again if the file was only read. So it must
/// depend on nothing but the tree.
///
/// A step also runs on incomplete trees. Tables, records and keys may be missing in a damaged file
/// (``Recovery/salvage``, ``Salvaged``). Before that it runs on an empty tree, which shows the tables that it uses.
/// There the step may throw, but must not trap. A missing table is an empty one, so `tree["people"].values[0]` is a
/// mistake.
public struct Migration: Sendable {
  /// A short description of the step, for reports and errors. Each step of a schema has another name.
  let name: String
  /// The version to which the step leads, alone or with other steps; from 2.
  let version: Int
  let change: @Sendable (inout MigrationTree) throws -> Void

  /// Makes a step.
  ///
  /// - Parameters:
  ///   - name: a short description.
  ///   - version: the version that the step leads to. Several steps may lead to one version; they run in their order.
  ///   - change: changes the tree. If it throws, the file is not opened and not changed.
  public init(_ name: String, to version: Int, _ change: @escaping @Sendable (inout MigrationTree) throws -> Void) {
    self.name = name
    self.version = version
    self.change = change
  }
}

extension [Migration] {
  /// The steps for a file of an older version; nil if no steps lead from that version.
  func steps(from version: Int) -> [Migration]? {
    guard let first, version >= first.version - 1 else { return nil }
    return filter { $0.version > version }
  }

  /// The error in this list for a schema of a version, in words; nil if there is none.
  func problem(upTo version: Int) -> String? {
    guard let first, let last else { return nil }
    if first.version < 2 { return "the first migration leads to version 2 or later, since versions start at 1" }
    if Set(map(\.name)).count != count { return "two migrations have one name" }
    for (step, next) in zip(self, dropFirst()) where !(step.version...step.version + 1).contains(next.version) {
      return "the migration “\(next.name)” to version \(next.version) follows on one to version \(step.version)"
    }
    if last.version == version { return nil }
    let advice = last.version < version ? "add one to \(version)" : "raise the version of the schema"
    return "the last migration leads to version \(last.version), not to \(version): \(advice)"
  }
}
