public import SnapshotStore

/// The words and the merges of a model that commands cannot know. A model need not have any.
///
/// ```swift
/// extension Dashboard: CommandModel {
///   static let nouns = [(table: "posts", noun: "post")]
///
///   func title(of id: String, in table: String) -> String {
///     posts[id]?.title ?? ""
///   }
/// }
/// ```
public protocol CommandModel: Model {
  /// The tables that have a word for one record, such as `note` for the table `notes`. Reports begin with them, in this
  /// order.
  static var nouns: [(table: String, noun: String)] { get }

  /// The name by which people know a record, for example the title of a note; empty if it has none.
  ///
  /// - Parameters:
  ///   - id: the id of the record, as text.
  ///   - table: the name of its table.
  func title(of id: String, in table: String) -> String

  /// Merges two copies whose common base is not known.
  ///
  /// - Throws: an error if they cannot be merged.
  static func mergingWithoutBase(
    ours: SnapshotContent<Self>, theirs: SnapshotContent<Self>
  ) throws -> (content: SnapshotContent<Self>, conflicts: [MergeConflict], repaired: [Violation])
}

extension CommandModel {
  /// No words.
  public static var nouns: [(table: String, noun: String)] { [] }

  /// No names.
  public func title(of id: String, in table: String) -> String { "" }

  /// Merges by the dates of the merge rules and of tombstones; see `SnapshotContent.merging(ours:theirs:)`.
  public static func mergingWithoutBase(
    ours: SnapshotContent<Self>, theirs: SnapshotContent<Self>
  ) throws -> (content: SnapshotContent<Self>, conflicts: [MergeConflict], repaired: [Violation]) {
    SnapshotContent.merging(ours: ours, theirs: theirs)
  }
}

extension Model {
  /// The word for a record of a table, if the model has one.
  static func word(for table: String) -> String? {
    (Self.self as? any CommandModel.Type)?.nouns.first { $0.table == table }?.noun
  }

  /// The tables that have words, in the order of reports.
  static var tablesWithWords: [String] { (Self.self as? any CommandModel.Type)?.nouns.map(\.table) ?? [] }

  /// The name by which people know a record.
  func name(of id: String, in table: String) -> String {
    (self as? any CommandModel)?.title(of: id, in: table) ?? ""
  }
}

extension SnapshotContent {
  /// The result of merging two contents.
  typealias Merged = (content: SnapshotContent, conflicts: [MergeConflict], repaired: [Violation])

  /// Merges two sides and settles the result, by the model's own way if their base is not known.
  static func settledMerge(
    ofBase base: SnapshotContent?, ours: SnapshotContent, theirs: SnapshotContent
  ) throws -> Merged {
    guard base == nil, let type = Root.self as? any CommandModel.Type, var merged = try merging(type, ours, theirs)
    else { return try settledMerge(base: base, ours: ours, theirs: theirs) }
    merged.repaired += try merged.content.settle(over: ours, mergedWith: [theirs])
    return merged
  }

  private static func merging<Own: CommandModel>(
    _ type: Own.Type, _ ours: SnapshotContent, _ theirs: SnapshotContent
  ) throws -> Merged? {
    guard let ours = ours as? SnapshotContent<Own>, let theirs = theirs as? SnapshotContent<Own> else { return nil }
    return try Own.mergingWithoutBase(ours: ours, theirs: theirs) as? Merged
  }
}
