/// One step from an older version of a schema to a newer one, over the untyped tree of a file.
///
/// ```swift
/// Migration("names in two parts", to: 2) { tree in
///   try tree["people"].split("name", into: ["first", "last"]) { name in
///     let words = (name.text ?? "").split(separator: " ", maxSplits: 1).map { UntypedValue(String($0)) }
///     return [words.first ?? "", words.dropFirst().first ?? ""]
///   }
/// }
/// ```
///
/// A step that has been shipped is never changed or removed: there are files that it has not met yet. It runs whenever such a
/// file is opened, before anything is decoded, and again if that file was only read; so it must depend on nothing but the tree.
///
/// It is also run on trees with less in them: on what is left of a damaged file (``Recovery/salvage``, ``Salvaged``), where tables, records
/// and the keys of others may be missing, and before that on an empty one, to learn which tables it asks for. There it may throw, but
/// must not trap: a table that is not there is an empty one, so `tree["people"].values[0]` is a mistake.
public struct Migration: Sendable {
  /// What the step does, in a few words: reports and errors say it. No two steps of a schema have one name.
  public let name: String
  /// The version to which it leads, or helps to lead; from 2.
  public let version: Int
  let change: @Sendable (inout MigrationTree) throws -> Void

  /// A step.
  ///
  /// - Parameters:
  ///   - name: what it does, in a few words.
  ///   - version: the version to which it leads. Several steps may lead to one; they run in their order.
  ///   - change: changes the tree. What it throws keeps the file from being opened; the file is left alone.
  public init(_ name: String, to version: Int, _ change: @escaping @Sendable (inout MigrationTree) throws -> Void) {
    self.name = name
    self.version = version
    self.change = change
  }
}

extension [Migration] {
  /// The steps that a file of an older version needs; nil if there is no way from it.
  func steps(from version: Int) -> [Migration]? {
    guard let first, version >= first.version - 1 else { return nil }
    return filter { $0.version > version }
  }

  /// What is wrong with the list in a schema of a version, in words; nil if nothing is.
  func problem(upTo version: Int) -> String? {
    guard let first, let last else { return nil }
    if first.version < 2 { return "the first migration leads to version 2 or later, since versions start at 1" }
    if Set(map(\.name)).count != count { return "two migrations have one name" }
    for (step, next) in zip(self, dropFirst()) where !(step.version...step.version + 1).contains(next.version) {
      return "the migration “\(next.name)” to version \(next.version) follows on one to version \(step.version)"
    }
    return last.version == version ? nil : "the last migration leads to version \(last.version), not to \(version)"
  }
}
