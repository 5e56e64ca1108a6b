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
  private let places: [ExactText: Int]

  init(_ table: UntypedTable) {
    let census = PropertyCensus(table.values).properties
    self.table = table.name
    recordCount = table.count
    keys = census.map(\.name)
    places = Dictionary(census.enumerated().map { (ExactText($1.name), $0) }) { first, _ in first }
    properties = Dictionary(census.map { (ExactText($0.name), $0) }) { first, _ in first }
  }

  /// The record with values of the usual kinds, and with its keys in the usual order.
  ///
  /// - Throws: a failure for a property that no record has, and for a value of another kind. Also for a record without
  ///   a property that all records have.
  func fitting(_ record: UntypedRecord) throws -> UntypedRecord {
    guard recordCount > 0 else { return record }
    var own = Set<ExactText>()
    let members = try reordered(record).map { key, value in
      guard let property = properties[ExactText(key)] else { throw unknown(key) }
      own.insert(ExactText(key))
      return (key: key, value: try Self.fitting(value, to: property.kinds.map(\.kind), key))
    }
    let missing = properties.values.filter { $0.count == recordCount && !own.contains(ExactText($0.name)) }
    if let name = missing.map(\.name).min() {
      throw CommandFailure(
        "the record has no “\(name.shortForMessage)”, which every record of “\(table.shortForMessage)” has"
          + Self.advice, .badData)
    }
    return UntypedRecord(uniqueKeysWithValues: members)
  }

  /// The kinds of the values of a property; empty if no record has it.
  func kinds(of key: String) -> [UntypedValue.Kind] { properties[ExactText(key)]?.kinds.map(\.kind) ?? [] }

  /// Whether every record has a text under a key.
  func isTextEverywhere(_ key: String) -> Bool {
    properties[ExactText(key)].map { $0.count == recordCount && $0.kinds.map(\.kind) == [.text] } ?? false
  }

  /// The same record with its keys in the order of its earlier version. A new key follows the key that it usually
  /// follows. O(keys · log keys).
  func reordered(_ record: UntypedRecord, like old: UntypedValue?) -> UntypedRecord {
    let usual = reordered(record)
    guard let old = old?.record else { return usual }
    typealias Member = (key: String, value: UntypedValue)
    let oldKeys = old.map { ExactText($0.key) }
    let known = Set(oldKeys)
    // The new members before the first key that the old record has, and behind each such key.
    var (first, behind): ([Member], [ExactText: [Member]]) = ([], [:])
    var last: ExactText?
    for member in usual {
      let key = ExactText(member.key)
      if known.contains(key) { last = key }
      if let last { behind[last, default: []].append(member) } else { first.append(member) }
    }
    return UntypedRecord(uniqueKeysWithValues: first + oldKeys.flatMap { behind[$0] ?? [] })
  }

  /// The same record with its keys in the usual order. Other keys follow.
  func reordered(_ record: UntypedRecord) -> UntypedRecord {
    let members = record.enumerated().map { number, member in
      (place: places[ExactText(member.key)] ?? keys.count + number, member: member)
    }
    return UntypedRecord(uniqueKeysWithValues: members.sorted { $0.place < $1.place }.map(\.member))
  }

  /// A value as one of some kinds. An integer becomes a number with a fraction, and a text the date or the data that it
  /// is. A date or data becomes the text that it was.
  ///
  /// - Throws: a failure if it is of another kind.
  static func fitting(_ value: UntypedValue, to kinds: [UntypedValue.Kind], _ key: String) throws -> UntypedValue {
    if kinds.isEmpty || kinds.contains(value.kind) { return value }
    // A number may be nil here: no Double holds 9007199254740993.
    if [.integer, .decimal].contains(value.kind), kinds.contains(.real), let number = value.number {
      return UntypedValue(number)
    }
    // A date that is no time, as NaN, is more likely a slip.
    if kinds.contains(.date), value.kind == .text, let date = value.date, date.timeIntervalSince1970.isFinite {
      return UntypedValue(date)
    }
    if kinds.contains(.data), value.kind == .text, let data = value.data { return UntypedValue(data: data) }
    // JSON of another program does not say that a text in the form of a date is only text.
    if kinds.contains(.text), let text = value.text { return UntypedValue(text) }
    let isLong = value.kind == .integer && kinds.contains(.real)
    let own = isLong ? "an integer that no Double keeps" : "\(value.kind)"
    let usual = kinds.map { $0.description }.joined(separator: " or ")
    let quotes = kinds.contains(.text) ? "; a text that looks like JSON is written in quotes: '\"12\"'" : ""
    throw CommandFailure(
      "“\(key.shortForMessage)” is \(usual) in every record, and \(value.json.shortForMessage) is \(own)"
        + "\(quotes)\(advice)", .badData)
  }

  private func unknown(_ key: String) -> CommandFailure {
    let near = NearName.of(key, in: keys).map { "; did you mean “\($0.shortForMessage)”?" } ?? ""
    return CommandFailure(
      "no record of “\(table.shortForMessage)” has “\(key.shortForMessage)”\(near)\(Self.advice)", .badData)
  }

  static let advice = "; --force writes it, unless the types of the model refuse it"
}
