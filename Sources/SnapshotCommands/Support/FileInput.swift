import Foundation
public import SnapshotStore

/// A file that a command reads: a store or a dump, in any format, or standard input.
///
/// ```swift
/// let content = try FileInput(path).content(Dashboard.self)
/// ```
public struct FileInput {
  /// The name of the file in messages.
  public let name: String
  /// All bytes.
  public let bytes: [UInt8]
  /// The header; nil if the file has none, or a damaged one.
  let header: SnapshotHeader?

  /// Reads a file, a pipe, or standard input for `-`.
  ///
  /// - Throws: ``CommandFailure`` or `SnapshotError`.
  public init(_ path: String) throws { try self.init(path, withJournal: true) }

  /// Reads a file without its journal, a pipe, or standard input for `-`.
  init(withoutJournal path: String) throws { try self.init(path, withJournal: false) }

  private init(_ path: String, withJournal: Bool) throws {
    let url = try FileName.url(path)
    let bytes =
      try FileName.isStream(path)
      ? BoundedInput(path).bytes() : SnapshotFile.readBytes(at: url, withJournal: withJournal)
    self.init(name: FileName.shown(path), bytes: bytes)
  }

  /// Reads a file.
  init(url: URL) throws {
    self.init(name: url.relativePath, bytes: try SnapshotFile.readBytes(at: url))
  }

  private init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    header = try? SnapshotHeader(of: bytes)
  }

  /// Refuses to merge files that have no header, and files without types that have not the same schema and version.
  ///
  /// - Throws: the reason why a header cannot be read; `wrongSchema` if the names differ; `olderVersion` if the
  ///   versions differ.
  func requireSameTypes(as others: [FileInput], _ type: any Model.Type) throws {
    // Otherwise the message would be about a good file that is not of the type.
    for input in [self] + others where input.header == nil { _ = try input.content(UntypedModel.self) }
    guard type is UntypedModel.Type, let header else { return }
    for other in others {
      guard let found = other.header else { continue }
      guard found.schema == header.schema else {
        throw SnapshotError(
          .wrongSchema,
          "the file has the schema “\(found.schema.forTerminal)”, but \(name.forTerminal) has “\(header.schema.forTerminal)”",
          path: other.name)
      }
      guard found.version == header.version else {
        throw SnapshotError(
          .olderVersion,
          "the file has version \(found.version) of its schema, but \(name.forTerminal) has version \(header.version)",
          advice: "Open the older one with the program that made it, which migrates it.", path: other.name)
      }
    }
  }

  /// The model with which the file can be read: the given one if the file has its schema, otherwise ``UntypedModel``.
  ///
  /// If the file does not even have a header, the given model tells why it cannot be read.
  func model(for type: any Model.Type) -> any Model.Type {
    func name<Root: Model>(_ type: Root.Type) -> String { Root.schema.name }
    return header.map { $0.schema == name(type) } ?? true ? type : UntypedModel.self
  }

  /// Prints that removals are unknown in a merge without a base, if the types of the file are not known.
  func noteMergeWithoutBase(_ type: any Model.Type) {
    guard type is UntypedModel.Type, let header else { return }
    Terminal.error.printLine(
      "note: without a base, and without the types of “\(header.schema.forTerminal)”, a record that one side removed stays"
    )
  }

  /// The content: the value, and what the model does not know.
  ///
  /// - Throws: `SnapshotError` with the name of the file.
  public func content<Root: Model>(_ type: Root.Type = Root.self) throws -> SnapshotContent<Root> {
    try SnapshotFile.decodeContent(from: bytes, path: name)
  }

  /// The content with the records of one table that a fold chooses, and the fold. It is as given if there is no such
  /// table. A single value that is an array counts as a table.
  func content<Fold: RecordFold>(
    of table: String, folding fold: Fold
  ) throws -> (content: SnapshotContent<UntypedModel>, fold: Fold) {
    var (content, folds) = try content { ExactText($0) == ExactText(table) ? fold : nil }
    if let found = folds.first { return (content, found.fold) }
    guard var array = content[table: table] else { return (content, fold) }
    var own = fold
    array.values = array.values.filter { own.add($0) }
    content[table: table] = array
    return (content, own)
  }

  /// The content with the records that folds choose, and the folds by table.
  ///
  /// - Parameter fold: returns the fold for a table; nil if its records are only checked.
  func content<Fold: RecordFold>(
    folding fold: @escaping (_ table: String) -> Fold?
  ) throws -> (content: SnapshotContent<UntypedModel>, folds: [(table: String, fold: Fold)]) {
    try SnapshotFile.decodeRecords(from: bytes, path: name, folding: fold)
  }

  /// The bytes of a version of a file that git passes; nil for no file, and for an empty one.
  init?(versionAt path: String) throws {
    if path == "/dev/null" { return nil }
    try self.init(path)
    // A program that failed has written nothing into its pipe.
    if bytes.isEmpty, !FileName.isStream(path) { return nil }
  }

  /// The same without a journal beside it, which git does not see.
  init?(gitVersionAt path: String) throws {
    if path == "/dev/null" { return nil }
    try self.init(withoutJournal: path)
    if bytes.isEmpty { return nil }
  }
}
