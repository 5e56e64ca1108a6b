public import SnapshotStore

/// Tags by name, straight from the store.
extension Store where Root == Notebook {
  /// The tag with a name, without regard to case and spacing; nil if there is none.
  ///
  /// From any thread, and never waits for a transaction.
  public func existingTag(named name: String) -> Tag? {
    read { $0.existingTag(named: name) }
  }

  /// The tag with a name, made in a transaction of its own if there is none. A tag that is there keeps its spelling, and
  /// costs a read.
  ///
  /// From any thread; never waits for the disk. A name of nothing but white space is a programmer error and traps; use
  /// ``tag(checkedName:)`` for names from outside.
  ///
  /// - Throws: `SnapshotError` with code `readOnly` or `closed`, if there is no such tag and none can be made.
  @discardableResult
  public func tag(named name: String) throws -> Tag {
    // Whoever makes the tag in between makes the same one: the transaction looks again.
    try existingTag(named: name) ?? write { $0.tag(named: name) }
  }

  /// The same for a name from outside.
  ///
  /// - Throws: `SnapshotError` with code `invalidValue` for a name of nothing but white space, and as ``tag(named:)``.
  @discardableResult
  public func tag(checkedName name: String) throws -> Tag {
    try existingTag(named: name) ?? write { try $0.tag(checkedName: name) }
  }
}
