import Foundation
import SnapshotStore

/// What the records of a table have in common, as far as it can be seen without their types.
///
/// A program with the types refuses a file with a property of another kind, or without a property that it needs. So a
/// change keeps to the kinds that the records have now, unless the user wants it otherwise.
struct RecordShape {
  private let table: String
  private let recordCount: Int
  private let properties: [ExactText: PropertyCensus.Property]
  /// The keys in their usual order.
  private let keys: [String]

  init(_ table: UntypedTable) {
    let census = PropertyCensus(table.values).properties
    self.table = table.name
    recordCount = table.count
    keys = census.map(\.name)
    properties = Dictionary(census.map { (ExactText($0.name), $0) }) { first, _ in first }
  }

  /// The record with values of the usual kinds, and with its keys in the usual order.
  ///
  /// - Throws: a failure for a property that no record has, and for a value of another kind. Also for a record without
  ///   a property that all records have.
  func fitting(_ record: UntypedRecord) throws -> UntypedRecord {
    guard recordCount > 0 else { return record }
    let ordered = reordered(record)
    var result = UntypedRecord()
    for (key, value) in ordered {
      guard let property = properties[ExactText(key)] else { throw unknown(key) }
      result[key] = try Self.fitting(value, to: property.kinds.map(\.kind), key)
    }
    let missing = properties.values.filter { $0.count == recordCount && record[$0.name] == nil }
    if let name = missing.map(\.name).min() {
      throw CommandFailure(
        "the record has no “\(name.shortForMessage)”, which every record of “\(table.shortForMessage)” has"
          + Self.advice, .badData)
    }
    return result
  }

  /// The same record with its keys in the usual order. Other keys follow.
  func reordered(_ record: UntypedRecord) -> UntypedRecord {
    var result = UntypedRecord()
    for key in keys { result[key] = record[key] }
    for (key, value) in record where properties[ExactText(key)] == nil { result[key] = value }
    return result
  }

  /// A value as one of some kinds. An integer becomes a number with a fraction, and a text the date or the data that it
  /// is. A date or data becomes the text that it was.
  ///
  /// - Throws: a failure if it is of another kind.
  static func fitting(_ value: UntypedValue, to kinds: [UntypedValue.Kind], _ key: String) throws -> UntypedValue {
    if kinds.isEmpty || kinds.contains(value.kind) { return value }
    if value.kind == .integer, kinds.contains(.real), let number = value.number { return UntypedValue(number) }
    if kinds.contains(.date), value.kind == .text, let date = value.date { return UntypedValue(date) }
    if kinds.contains(.data), value.kind == .text, let data = value.data { return UntypedValue(data: data) }
    // JSON of another program does not say that a text in the form of a date is only text.
    if kinds.contains(.text), let text = value.text { return UntypedValue(text) }
    let usual = kinds.map { $0.description }.joined(separator: " or ")
    let quotes = kinds.contains(.text) ? "; a text that looks like JSON is written in quotes: '\"12\"'" : ""
    throw CommandFailure(
      "“\(key.shortForMessage)” is \(usual) in every record, and \(value.json.shortForMessage) is \(value.kind)"
        + "\(quotes)\(advice)", .badData)
  }

  private func unknown(_ key: String) -> CommandFailure {
    let near = NearName.of(key, in: keys).map { "; did you mean “\($0.shortForMessage)”?" } ?? ""
    return CommandFailure(
      "no record of “\(table.shortForMessage)” has “\(key.shortForMessage)”\(near)\(Self.advice)", .badData)
  }

  static let advice = "; --force writes it all the same"
}
