public import SnapshotFoundation

// An id is drawn, not counted. Two programs may add records to copies of one file. Counted ids would be the same, and a
// merge would take two records for one. A counter that never uses an id twice would have to be in the file.

/// Records whose id is made by the table. It is random, so no record had it before, also in other copies of the file.
///
/// ```swift
/// let post = try posts.insert { Post(id: $0, title: "A walk") }
/// ```
extension Table where ID == Int {
  /// Adds the record that `make` returns for a new id, and returns it.
  ///
  /// The id has ten to sixteen digits and is below 2⁵³, so that every reader of JSON has it exactly.
  ///
  /// - Throws: the errors of `insert` with a record; an error of `make`. The table is then unchanged.
  @discardableResult
  public mutating func insert(_ make: (ID) throws -> Value) throws -> Value {
    try insert(drawing: { .random(in: 1 << 30..<Int(clamping: Int64(1) << 53)) }, make)
  }
}

extension Table where ID == UUID {
  /// Adds the record that `make` returns for a new id, and returns it.
  ///
  /// - Throws: the errors of `insert` with a record; an error of `make`. The table is then unchanged.
  @discardableResult
  public mutating func insert(_ make: (ID) throws -> Value) throws -> Value { try insert(drawing: UUID.init, make) }
}

extension Table where ID == String {
  /// Adds the record that `make` returns for a new id, and returns it. The id has 20 small letters and digits.
  ///
  /// - Throws: the errors of `insert` with a record; an error of `make`. The table is then unchanged.
  @discardableResult
  public mutating func insert(_ make: (ID) throws -> Value) throws -> Value {
    let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")
    return try insert(drawing: { String((0..<20).map { _ in digits[.random(in: digits.indices)] }) }, make)
  }
}

extension Table {
  private mutating func insert(drawing draw: () -> ID, _ make: (ID) throws -> Value) throws -> Value {
    var id = draw()
    while contains(id) { id = draw() }
    let record = try make(id)
    try insert(record)
    return record
  }
}
