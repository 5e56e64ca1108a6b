import SnapshotFoundation

/// The functions of a ``RepairingModel``, for code that knows the type only as a ``Model``.
struct RepairHooks<Root: Model>: Sendable {
  let repair: @Sendable (inout Root) -> [Violation]
  let restoreReferenced: @Sendable (inout Root, _ values: [Root]) -> [Violation]
  let removeDeleted: @Sendable (inout Root, _ salvaged: Root) -> Void
  let mayNeedRepair: @Sendable (Root, _ changes: ChangeSet<Root>) -> Bool
  let dateUndo: @Sendable (inout Root, _ before: Root, Date) -> Void
  let mergeUnsaved: @Sendable (inout Root, _ base: Root, _ theirs: Root) -> Bool

  /// The functions of the model, if it conforms. A schema finds them once when it is made, so that merges need no cast.
  static func find() -> RepairHooks? {
    (Root.self as? any RepairingModel.Type).map { $0.hooks as! RepairHooks }
  }
}

extension RepairHooks where Root: RepairingModel {
  fileprivate init() {
    repair = { $0.repair() }
    restoreReferenced = { $0.restoreReferenced(from: $1) }
    removeDeleted = { $0.removeDeleted(addedTo: $1) }
    mayNeedRepair = { $0.mayNeedRepair(after: $1) }
    dateUndo = { $0.dateUndo(since: $1, at: $2) }
    mergeUnsaved = { $0.mergeUnsaved(base: $1, theirs: $2) }
  }
}

extension RepairingModel {
  /// The `RepairHooks` of this type. `Any`, because a cast to this protocol loses the type.
  fileprivate static var hooks: Any { RepairHooks<Self>() }
}
