import SnapshotStore

/// Changes properties of one record, or single values.
struct SetCommand<Root: Model>: StoreCommand {
  static var name: String { "set" }
  static var summary: String { "Change properties of a record, or single values" }
  static var forms: [[Parameter]] {
    let record: [Parameter] = [
      .store("FILE", "a store of any model"), .table, .recordID,
    ]
    let value = Parameter.operand(
      "KEY=VALUE", .assignment,
      """
      a property, or a path such as size.width or tags[0], and its value: JSON if it is valid JSON, otherwise a text.
      So done=true sets a bool, title=Home a text, title='"12"' a text of digits, and title= an empty text
      """
    ).repeated
    let removal = Parameter.option("--remove", "KEY", .property, "remove a property").repeated
    let force = Parameter.flag(
      "--force",
      """
      set a property that no record has, set a value of another kind than all records have, or remove what all records
      have. The types of the tool's own model may still refuse it
      """
    )
    let single = Parameter.option(
      "--value", "KEY=VALUE", .valueAssignment,
      "a single value of the file, or a path in it, and what it becomes. In a store of one value, a property of that"
    ).repeated.required
    return [
      record + [value, removal, force], record + [removal.required, force],
      [.store("FILE", "a store of any model"), single, force],
    ]
  }
  static var discussion: String {
    """
    The file keeps its format, and its old version is kept: “{tool} generations FILE” lists it. The id of a record does
    not change. A file of the tool's own model is also checked by its types, rules and validations.
    """
  }

  private enum Target { case record(table: String, id: String), values }

  private let file: String
  private let target: Target
  private let assignments: [Assignment]
  private let isForced: Bool

  init(_ arguments: inout Arguments) throws {
    isForced = arguments.flag("--force")
    let removed = try arguments.options("--remove").map { text in
      try QueryError.shown("--remove") { Assignment(removing: try PropertyPath(text)) }
    }
    file = arguments.operand("FILE")
    let values = arguments.options("--value")
    if values.isEmpty {
      target = .record(table: arguments.operand("TABLE"), id: arguments.operand("ID"))
    } else {
      target = .values
    }
    let given = values.isEmpty ? arguments.operands("KEY=VALUE") : values
    assignments = try given.map { text in try QueryError.shown("KEY=VALUE") { try Assignment(text) } } + removed
  }

  func run() throws {
    switch target {
    case .record(let table, let id): try changeRecord(table, id)
    case .values: try changeValues()
    }
  }

  private func changeValues() throws {
    let count = try TableChange<Root>.runOnValues(file) { content in
      let old = UntypedRecord(uniqueKeysWithValues: content.values.map { (key: $0.name, value: $0.value) })
      var record = old
      for assignment in assignments {
        if case .key(let name) = assignment.path.steps[0], old[name.text] == nil,
          !isForced || content[table: name.text] != nil
        {
          _ = try content.requiredValue(name.text)
        }
        record = try (isForced ? assignment : assignment.fitting(record)).apply(to: record)
      }
      let changed = record.filter { name, value in old[name].map { !value.isSame(as: $0) } ?? true }
      for (name, value) in changed {
        try value.requireDepth()
        content[value: name] = value
      }
      return changed.count
    }
    try Terminal.output.print(count > 0 ? "changed \(Counts.text(count, "value"))\n" : "nothing changed\n")
  }

  private func changeRecord(_ table: String, _ id: String) throws {
    let isChanged = try TableChange<Root>.run(file, table: table) { table in
      let place = try RecordIndex(table).place(ofID: id)
      guard let old = table[place].record else { throw Self.noRecord(id) }
      var record = old
      let key = RecordID.key(of: table).map { PropertyPath.Step.key(ExactText($0)) }
      for assignment in assignments {
        if assignment.path.steps[0] == key {
          throw CommandFailure("the id of a record does not change; put a new record, and remove this one", .badData)
        }
        record = try (isForced ? assignment : assignment.fitting(table)).apply(to: record)
      }
      let isChanged = try table.replace(at: place, with: RecordShape(table).reordered(record, like: table[place]))
      return (isChanged, isChanged)
    }
    try Terminal.output.print(isChanged ? "changed 1 record\n" : "nothing changed\n")
  }

  static func noRecord(_ id: String) -> CommandFailure {
    CommandFailure("\(id.shortForMessage) is no record of properties", .badData)
  }
}

extension Assignment {
  /// The assignment with a value of the kind that the property has in other records.
  fileprivate func fitting(_ table: UntypedTable) throws -> Assignment {
    var kinds: [UntypedValue.Kind] = []
    var count = 0
    // All elements of an array have one kind.
    let siblings = path.forAllElements
    for record in table.values {
      let found = siblings.values(in: record)
      if !found.isEmpty { count += 1 }
      for value in found where !kinds.contains(value.kind) { kinds.append(value.kind) }
    }
    let shown = path.description.shortForMessage
    guard let value else {
      if count == table.count, path.steps.count == 1 {
        throw CommandFailure(
          "every record of “\(table.name.shortForMessage)” has “\(shown)”\(RecordShape.advice)", .badData)
      }
      return self
    }
    if kinds.isEmpty {
      let names = PropertyCensus(table.values).properties.map(\.name)
      let near =
        NearName.of(path.title, in: names).map { PropertyPath(key: $0) }
        .map { "; did you mean “\($0.description.shortForMessage)”?" } ?? ""
      throw CommandFailure(
        "no record of “\(table.name.shortForMessage)” has “\(shown)”\(near)\(RecordShape.advice)", .badData)
    }
    return Assignment(path, try RecordShape.fitting(value, to: kinds, path.description))
  }

  /// The assignment with a value of the kind that is there.
  fileprivate func fitting(_ values: UntypedRecord) throws -> Assignment {
    let (shown, all) = (path.description.shortForMessage, UntypedValue(values))
    if case .index(let index)? = path.steps.last,
      let array = PropertyPath(path.steps.dropLast()).value(in: all)?.array, array.isEmpty || index > array.count
    {
      return self
    }
    // What is added to an array, or takes the place of null there, is like the other elements.
    let found = path.value(in: all).flatMap { $0.kind == .null ? nil : [$0] } ?? path.forAllElements.values(in: all)
    guard let value, !found.isEmpty else {
      throw CommandFailure("there is no “\(shown)”\(RecordShape.advice)", .badData)
    }
    var kinds: [UntypedValue.Kind] = []
    for value in found where value.kind != .null && !kinds.contains(value.kind) { kinds.append(value.kind) }
    guard let fitting = try? RecordShape.fitting(value, to: kinds, path.description) else {
      let usual = kinds.map(\.description).joined(separator: " or ")
      throw CommandFailure(
        "“\(shown)” is \(usual), and \(value.json.shortForMessage) is \(value.kind)\(RecordShape.advice)", .badData)
    }
    return Assignment(path, fitting)
  }

  private init(_ path: PropertyPath, _ value: UntypedValue) {
    self.path = path
    self.value = value
  }
}

/// A path in which a place in an array stands for all places.
private struct ElementPath {
  let steps: ArraySlice<PropertyPath.Step>

  func values(in value: UntypedValue) -> [UntypedValue] {
    guard let step = steps.first else { return [value] }
    let rest = ElementPath(steps: steps.dropFirst())
    switch step {
    case .key: return step.value(in: value).map { rest.values(in: $0) } ?? []
    case .index: return (value.array ?? []).flatMap { rest.values(in: $0) }
    }
  }
}

extension PropertyPath {
  fileprivate var forAllElements: ElementPath { ElementPath(steps: steps[...]) }
}
