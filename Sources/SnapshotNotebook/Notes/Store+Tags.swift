public import SnapshotStore

/// Tags by name, directly from the store.
extension Store where Root == Notebook {
  /// The tag with a name, ignoring case and spacing; nil if there is none.
  ///
  /// Callable from any thread. Never waits for a transaction.
  public func existingTag(named name: String) -> Tag? {
    read { $0.existingTag(named: name) }
  }

  /// The tag with a name; makes it in a transaction of its own if there is none. An existing tag keeps its spelling and
  /// costs a read.
  ///
  /// Callable from any thread. Never waits for the disk. A name of nothing but white space is a programmer error and
  /// traps. Use ``tag(checkedName:)`` for names that a user or a file supplies.
  ///
  /// - Throws: `SnapshotError` with code `readOnly` or `closed`, if the tag does not exist and cannot be made.
  @discardableResult
  public func tag(named name: String) throws -> Tag {
    // The transaction looks again: another thread may have made the tag in between.
    try existingTag(named: name) ?? write { $0.tag(named: name) }
  }

  /// The tag with a name that a user or a file supplies; makes it if there is none.
  ///
  /// - Throws: `SnapshotError` with code `invalidValue` for a name of nothing but white space, and the errors of
  ///   ``tag(named:)``.
  @discardableResult
  public func tag(checkedName name: String) throws -> Tag {
    try existingTag(named: name) ?? write { try $0.tag(checkedName: name) }
  }
}
