/// Where in a text salvage is: among the members of the file, in a table, or in what may be a record without its beginning.
///
/// Single values stand among the members of the file. A property of a record may have the name of one, and a record that has
/// lost its beginning is a row of such properties.
struct SalvagePlace {
  private enum State {
    /// Nothing of the file was seen yet.
    case start
    /// The first object of the file was entered, whose beginning may be lost.
    case first
    /// Among the members of the file: behind its header, the end of a table, or another member.
    case frame
    /// In a table, or behind damage.
    case table
    /// Behind a member that is none of the file's.
    case record
  }

  private var state = State.start

  /// How sure it is that a member here is one of the file.
  ///
  /// - Parameter isLine: whether it begins a line as such members do.
  func certainty(isLine: Bool) -> SalvageCertainty {
    switch state {
    case .frame: isLine ? .line : .frame
    case .first, .table: .possible
    case .record: isLine ? .possible : .none
    case .start: .none
    }
  }

  /// The header, or a member of the file, was read.
  mutating func enterFrame() { state = .frame }
  /// The first object of the file was entered.
  mutating func enterFirst() { if state == .start { state = .first } }
  /// A table begins, or a record was passed.
  mutating func enterTable() { state = .table }
  /// Something damaged was passed.
  mutating func passGap() { if state != .start { state = .table } }
  /// A member was read that may be the property of a record.
  mutating func passProperty() { if state != .frame { state = .record } }
  /// The end of an array that was not read as a whole.
  mutating func endArray(isLine: Bool) { if state != .record || isLine { state = .frame } }
  /// The end of an object that was not read as a whole.
  mutating func endObject() { if state == .record { state = .table } }
}
