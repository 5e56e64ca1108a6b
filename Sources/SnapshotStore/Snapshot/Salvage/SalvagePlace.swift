/// The place of salvage in a text: among the members of the file, in a table, or in a record without its beginning.
///
/// Single values stand among the members of the file. A property of a record may have the name of a single value. A
/// record that has lost its beginning is a list of such properties.
struct SalvagePlace {
  private enum State {
    /// Nothing of the file was read yet.
    case start
    /// The first object of the file was entered. Its beginning may be lost.
    case first
    /// Among the members of the file: behind its header, the end of a table, or another member.
    case frame
    /// In a table, or behind damage.
    case table
    /// Behind a member that is not the file's.
    case record
  }

  private var state = State.start

  /// How certain it is that a member here belongs to the file.
  ///
  /// - Parameter isLine: whether it begins a line like the members of the file.
  func certainty(isLine: Bool) -> SalvageCertainty {
    switch state {
    case .frame: isLine ? .line : .frame
    case .first, .table: .possible
    case .record: isLine ? .possible : .none
    case .start: .none
    }
  }

  /// Notes that the header, or a member of the file, was read.
  mutating func enterFrame() { state = .frame }
  /// Notes that the first object of the file was entered.
  mutating func enterFirst() { if state == .start { state = .first } }
  /// Notes that a table begins, or that a record was skipped.
  mutating func enterTable() { state = .table }
  /// Notes that damage was skipped.
  mutating func passGap() { if state != .start { state = .table } }
  /// Notes a member that may be the property of a record.
  mutating func passProperty() { if state != .frame { state = .record } }
  /// Notes the end of an array that was not read as a whole.
  mutating func endArray(isLine: Bool) { if state != .record || isLine { state = .frame } }
  /// Notes the end of an object that was not read as a whole.
  mutating func endObject() { if state == .record { state = .table } }
}
