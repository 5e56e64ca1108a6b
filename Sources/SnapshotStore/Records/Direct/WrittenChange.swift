/// A record that differs between two versions of a table, and its place in the bytes of a writer. Code that knows its
/// type has written it: as it is, and behind that as it was.
@usableFromInline
struct WrittenChange {
  /// The bytes of the record as it is; empty if it was removed.
  @usableFromInline let after: Range<Int>
  /// The bytes of the record as it was; empty if there was none.
  @usableFromInline let before: Range<Int>
  /// The id of the record as it is.
  @usableFromInline let newID: PlainID?
  /// The id of the record as it was. Ids that are equal in Swift may be written differently.
  @usableFromInline let oldID: PlainID?

  @inlinable
  init(after: Range<Int>, before: Range<Int>, newID: PlainID?, oldID: PlainID?) {
    (self.after, self.before, self.newID, self.oldID) = (after, before, newID, oldID)
  }
}

/// An id of one of the types that most records have.
@usableFromInline
enum PlainID {
  case integer(Int64)
  case text(String)

  /// The id of a record; nil if it has another type. The compiler knows which one where it knows the record.
  @inlinable
  init?<Value: Record>(of record: Value) {
    if Value.ID.self == Int64.self {
      self = .integer(identityCast(record.id, to: Int64.self))
    } else if Value.ID.self == Int.self {
      self = .integer(Int64(identityCast(record.id, to: Int.self)))
    } else if Value.ID.self == String.self {
      self = .text(identityCast(record.id, to: String.self))
    } else {
      return nil
    }
  }
}
