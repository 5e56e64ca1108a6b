public import Foundation
public import SnapshotStore

/// A tag: a name by which notes are found.
///
/// Only a notebook makes tags, with `tag(named:)`, so that there is one tag per name. Swift Testing has a `Tag` too. In
/// a file that imports both, write `SnapshotNotebook.Tag`.
public struct Tag: Record {
  /// The name without case and spacing; see ``TagName``.
  public let id: String
  /// The name as the user spells it.
  public internal(set) var name: String
  /// The date of the last change of the spelling; nil if it is unknown.
  public internal(set) var nameModificationDate: Date?

  init(_ name: TagName, nameModificationDate: Date?) {
    id = name.id
    self.name = name.spelling
    self.nameModificationDate = nameModificationDate
  }

  /// The spelling with the date of its last change. A tag that exists keeps its spelling.
  public static let mergeRules: [MergeRule] = [
    .together(["name"], modified: "nameModificationDate"), .first("name"),
  ]
}
