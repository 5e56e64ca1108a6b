public import SnapshotStore

/// Changes a record in an editor: the command `edit FILE TABLE ID`.
///
/// ```swift
/// struct EditCommand: StoreCommand {
///   static let name = "edit"
///   static let summary = "Change a post in an editor"
///   static let parameters = EditRecordCommand<Dashboard>.parameters
///
///   private let edit: EditRecordCommand<Dashboard>
///
///   init(_ arguments: inout Arguments) throws {
///     edit = try EditRecordCommand(&arguments)
///   }
///
///   func run() throws { try edit.run() }
/// }
/// ```
///
/// A tool with an `edit` of its own may run it for these three operands.
public struct EditRecordCommand<Root: Model>: StoreCommand {
  /// `edit`.
  public static var name: String { "edit" }
  /// The summary for the help.
  public static var summary: String { "Change a record in an editor, as JSON" }
  /// The parameters.
  public static var parameters: [Parameter] {
    [
      .store("FILE", "a store of any model"), .table, .recordID,
      .flag("--force", "write a property that no record has, or a value of another kind, as “{tool} put” explains"),
    ]
  }
  /// The help text.
  public static var discussion: String {
    """
    Opens the record in $VISUAL or, if that is not set, in $EDITOR, with a property on each line. It is checked as
    “{tool} put” checks it. The id does not change.

    Nothing is locked while you edit. If someone else changes the record in the meantime, it is not overwritten, and
    “edit” exits with 75. Whenever your text cannot be saved, it stays in a file whose name is printed.
    """
  }

  private let file: String
  private let table: String
  private let id: String
  private let isForced: Bool

  /// Reads the arguments.
  public init(_ arguments: inout Arguments) throws {
    isForced = arguments.flag("--force")
    file = arguments.operand("FILE")
    table = arguments.operand("TABLE")
    id = arguments.operand("ID")
  }

  /// Opens the editor, and saves the record.
  public func run() throws {
    try FileName.requireFile(file, "only a file can be changed")
    let table = try RecordFile(file).table(table)
    let base = table[try RecordIndex(table).place(ofID: id)]
    guard let record = base.record else { throw SetCommand<Root>.noRecord(id) }
    let text = "{\n" + record.map { "\(UntypedValue($0).json): \($1.json)" }.joined(separator: ",\n") + "\n}\n"
    var isChanged = false
    let key = RecordID.key(of: table)
    _ = try TextEdit.run(text, fileName: "record.json") { isChanged = try save($0, base, key) }
    try Terminal.output.print(isChanged ? "changed 1 record\n" : "the record was not changed\n")
  }

  private func save(_ text: String, _ base: UntypedValue, _ key: String?) throws -> Bool {
    let records = try IncomingRecords(Array(text.utf8), as: .json, name: "the edited file")
    guard records.count == 1, let record = records.json.first?.record else {
      throw CommandFailure("the edited file has \(Counts.text(records.count, "record")), not one", .badData)
    }
    guard RecordID(of: UntypedValue(record), under: key) == RecordID(of: base, under: key) else {
      throw CommandFailure("the id of a record does not change; put a new record, and remove this one", .badData)
    }
    return try TableChange<Root>.run(file, table: table) { table in
      let place = try RecordIndex(table).place(ofID: id)
      let current = table[place]
      // Formats differ in the kind of a date, and not in its text.
      guard ExactText(current.json) == ExactText(base.json) else {
        throw CommandFailure("the record was changed by someone else meanwhile, and was left as it is", .temporary)
      }
      let counts = try table.put([record], isForced: isForced)
      return (counts.changed > 0, counts.changed > 0)
    }
  }
}
