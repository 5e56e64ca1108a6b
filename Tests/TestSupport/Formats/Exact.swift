import Foundation
import SnapshotStore
import Testing

/// A value as lines `path = bits`, so that two values can be compared bit by bit and the first difference shown.
///
/// `==` is not enough: it holds `0.0` and `-0.0` equal, a NaN unequal to itself, and texts in different normalisations
/// equal.
enum Exact {
  static func lines(_ value: Any) -> [String] {
    var lines: [String] = []
    append(value, "", to: &lines)
    return lines
  }

  private static func append(_ value: Any, _ path: String, to lines: inout [String]) {
    if let scalar = scalar(value) { return lines.append("\(path) = \(scalar)") }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      guard let child = mirror.children.first else { return lines.append("\(path) = nil") }
      append(child.value, path, to: &lines)
    case .collection:
      lines.append("\(path) has \(mirror.children.count) elements")
      for (index, child) in mirror.children.enumerated() { append(child.value, "\(path)[\(index)]", to: &lines) }
    case .set: appendUnordered(mirror.children.map { Self.lines($0.value) }, path, to: &lines)
    case .dictionary: appendUnordered(mirror.children.map { Self.lines($0.value) }, path, to: &lines)
    default:
      lines.append("\(path) is \(type(of: value)) \(mirror.displayStyle == .enum ? caseName(value, mirror) : "")")
      var level: Mirror? = mirror
      while let current = level {
        for child in current.children { append(child.value, "\(path).\(child.label ?? "?")", to: &lines) }
        level = current.superclassMirror
      }
    }
  }

  /// Elements without an order are compared in the order of their own lines.
  private static func appendUnordered(_ elements: [[String]], _ path: String, to lines: inout [String]) {
    lines.append("\(path) has \(elements.count) elements")
    for element in elements.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      lines += element.map { "\(path){}\($0)" }
    }
  }

  private static func caseName(_ value: Any, _ mirror: Mirror) -> String {
    mirror.children.first?.label ?? "\(value)"
  }

  private static func scalar(_ value: Any) -> String? {
    switch value {
    case let number as Double: "Double \(hexadecimal(number.bitPattern))"
    case let number as Float: "Float \(hexadecimal(number.bitPattern))"
    case let date as Date: "Date \(hexadecimal(date.timeIntervalSinceReferenceDate.bitPattern))"
    case let text as String: "String \(text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())"
    case let truth as Bool: "Bool \(truth)"
    case let number as any BinaryInteger: "\(type(of: number)) \(number)"
    case let data as Data: "Data \(Array(data))"
    case let uuid as UUID: "UUID \(uuid)"
    case let url as URL: "URL \(url.relativeString) on \(url.baseURL?.absoluteString ?? "nothing")"
    case let decimal as Decimal: "Decimal \(decimal)"
    default: nil
    }
  }

  private static func hexadecimal(_ bits: some FixedWidthInteger) -> String { "0x" + String(bits, radix: 16) }
}

/// Expects two values to be the same bit by bit, and shows the first difference.
func expectExactly<Value>(
  _ value: Value, _ expected: Value, _ what: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
  let (found, wanted) = (Exact.lines(value), Exact.lines(expected))
  guard found != wanted else { return }
  let index = zip(found, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, wanted.count)
  let (a, b) = (index < found.count ? found[index] : "nothing", index < wanted.count ? wanted[index] : "nothing")
  Issue.record("\(what): found \(a), expected \(b)", sourceLocation: sourceLocation)
}

extension Model {
  /// Every record of every table, in order, for an exact comparison.
  var allRecords: [[Any]] {
    var collector = RecordCollector(root: self)
    Self.schema.visit(&collector)
    return collector.records
  }
}

private struct RecordCollector<Root: Model>: FieldVisitor {
  let root: Root
  var records: [[Any]] = []

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    records.append(root[keyPath: table].map { $0 })
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) { records.append([root[keyPath: value]]) }
}
