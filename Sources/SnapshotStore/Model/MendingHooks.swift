import SnapshotFoundation

/// The functions of a ``MendingModel``, for code that knows the type only as a ``Model``.
struct MendingHooks<Root: Model>: Sendable {
  let mendAfterLosses: @Sendable (inout Root) -> [Violation]
  let takeBackReferenced: @Sendable (inout Root, _ values: [Root]) -> [Violation]
  let pruneAfterFilling: @Sendable (inout Root, _ salvaged: Root) -> Void
  let mayNeedMending: @Sendable (Root, _ changes: ChangeSet<Root>) -> Bool
  let dateUndo: @Sendable (inout Root, _ before: Root, Date) -> Void
  let mergeUnsaved: @Sendable (inout Root, _ base: Root, _ theirs: Root) -> Bool

  /// The functions of the model, if it conforms. A schema finds them once when it is made, so that merges need no cast.
  static func find() -> MendingHooks? {
    (Root.self as? any MendingModel.Type).map { $0.hooks as! MendingHooks }
  }
}

extension MendingHooks where Root: MendingModel {
  fileprivate init() {
    mendAfterLosses = { $0.mendAfterLosses() }
    takeBackReferenced = { $0.takeBackReferenced(from: $1) }
    pruneAfterFilling = { $0.pruneAfterFilling($1) }
    mayNeedMending = { $0.mayNeedMending(after: $1) }
    dateUndo = { $0.dateUndo(since: $1, at: $2) }
    mergeUnsaved = { $0.mergeUnsaved(base: $1, theirs: $2) }
  }
}

extension MendingModel {
  /// The `MendingHooks` of this type. `Any`, because a cast to this protocol loses the type.
  fileprivate static var hooks: Any { MendingHooks<Self>() }
}
