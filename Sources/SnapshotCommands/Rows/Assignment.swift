import SnapshotStore

/// A change of one property: `KEY=VALUE`, or a removal.
struct Assignment {
  let path: PropertyPath
  /// The new value; nil to remove the property.
  let value: UntypedValue?

  /// Reads `KEY=VALUE`. The value is JSON if it is valid JSON, and otherwise a text.
  init(_ text: String) throws {
    var scanner = QueryScanner(text)
    path = try scanner.path()
    guard scanner.skip("=") else { throw scanner.error("expected “=” and a value after the path") }
    let argument = String(decoding: text.utf8.dropFirst(scanner.offset), as: UTF8.self)
    let value = UntypedValue(argument: argument)
    // A slip in nested JSON would otherwise become a text.
    if value.kind == .text, let first = argument.utf8.first, [0x22, 0x5B, 0x7B].contains(first), value.json != argument,
      ExactText(value.text ?? "") == ExactText(argument)
    {
      throw scanner.error("this begins like JSON and is none; for a text, put it in quotes with the escapes of JSON")
    }
    self.value = value
  }

  init(removing path: PropertyPath) {
    self.path = path
    value = nil
  }

  /// Changes a record.
  func apply(to record: UntypedRecord) throws -> UntypedRecord {
    try set(in: UntypedValue(record), path.steps[...]).record ?? record
  }

  private func set(in value: UntypedValue, _ steps: ArraySlice<PropertyPath.Step>) throws -> UntypedValue {
    guard let step = steps.first else { return self.value ?? value }
    let rest = steps.dropFirst()
    switch step {
    case .key(let key):
      guard var record = value.record, value.kind == .dictionary else { throw noPlace(before: steps) }
      if rest.isEmpty {
        record[key.text] = self.value
      } else {
        guard let inner = record[key.text] else { throw noPlace(before: rest) }
        record[key.text] = try set(in: inner, rest)
      }
      return UntypedValue(record)
    case .index(let index):
      guard var elements = value.array else { throw noPlace(before: steps) }
      if rest.isEmpty, index == elements.count, let new = self.value {
        elements.append(new)
      } else if !elements.indices.contains(index) {
        throw noPlace(before: steps)
      } else if rest.isEmpty, self.value == nil {
        elements.remove(at: index)
      } else {
        elements[index] = try set(in: elements[index], rest)
      }
      return UntypedValue(elements)
    }
  }

  private func noPlace(before steps: ArraySlice<PropertyPath.Step>) -> CommandFailure {
    let parent = PropertyPath(Array(path.steps[..<steps.startIndex]))
    return CommandFailure(
      "there is no place for “\(path.description.shortForMessage)”: “\(parent.description.shortForMessage)” "
        + "is missing, or is no \(steps.first?.container ?? "dictionary") of that length", .badData)
  }
}

extension PropertyPath.Step {
  fileprivate var container: String {
    switch self {
    case .key: "dictionary"
    case .index: "array"
    }
  }
}
