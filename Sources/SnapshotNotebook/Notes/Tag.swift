public import Foundation
public import SnapshotStore

/// A tag: a name under which notes are found.
///
/// Only a notebook makes tags, with `tag(named:)`, so that there is one for each name. In a file that imports Swift
/// Testing too, which has a `Tag` of its own, write `SnapshotStore.Tag`.
public struct Tag: Record {
  /// What the name is without regard to case and spacing; see ``TagName``.
  public let id: String
  /// The name as the user spells it.
  public internal(set) var name: String
  /// When the spelling was last changed, if that is known.
  public internal(set) var nameModificationDate: Date?

  init(_ name: TagName, nameModificationDate: Date?) {
    id = name.id
    self.name = name.spelling
    self.nameModificationDate = nameModificationDate
  }

  /// The spelling with the date of its last change.
  public static let mergeRules: [MergeRule] = [.together(["name"], modified: "nameModificationDate")]
}
