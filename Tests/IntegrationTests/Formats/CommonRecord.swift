import Foundation
import SnapshotStore

@testable import NotebookTestSupport
@testable import TestSupport

/// A record of the common features of JSON and property lists.
struct Common: Record {
  let id: Int64
  var text: String
  var truth: Bool
  var integers: Integers
  var double: Double
  var doubles: [Double]
  var date: Date
  var dates: [Date]
  var optionalText: String?
  var data: Data
  var uuid: UUID
  var numberByText: [String: Int]
  var textByNumber: [Int: String]
  var rows: [[Int]]
  var shape: Shape
  var color: Color

  static func == (a: Common, b: Common) -> Bool { Exact.lines(a) == Exact.lines(b) }
}

struct CommonModel: Model {
  var items = Table<Common>()
  static let schema = Schema<CommonModel>("common", version: 1, Field("items", \.items))

  init() {}

  /// Random records within the limits of Foundation's coder for the format. They have no text that XML forbids or that
  /// means null, only dates of whole seconds, and NaN of one kind.
  init(seed: UInt64, format: FileFormat) throws {
    var generator = SeededGenerator(seed: seed)
    for id in 0..<20 { try items.insert(Common(id: Int64(id), random: &generator, format: format)) }
  }
}

extension Common {
  init(id: Int64, random generator: inout SeededGenerator, format: FileFormat) {
    func text(_ generator: inout SeededGenerator) -> String {
      // Foundation's binary lists treat texts that differ only in normalisation as one object.
      let text = format == .binary ? generator.text().precomposedStringWithCanonicalMapping : generator.text()
      return format == .json || XMLText.canHold(text) ? text : "plain"
    }
    func double(_ generator: inout SeededGenerator) -> Double {
      let double = generator.double()
      if format == .json { return double.isNaN ? .nan : double }
      // Foundation's property lists have no text for values that are not finite, and treat -0.0 and 0.0 as one object.
      return double.isFinite && double != 0 ? double : 1
    }
    func date(_ generator: inout SeededGenerator) -> Date {
      Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -3_000_000_000...3_000_000_000, using: &generator)))
    }
    self.id = id
    self.text = text(&generator)
    truth = generator.chance(2)
    integers = Integers(random: &generator)
    self.double = double(&generator)
    doubles = generator.list { double(&$0) }
    self.date = date(&generator)
    dates = generator.list { date(&$0) }
    optionalText = generator.chance(2) ? nil : text(&generator)
    data = generator.data()
    uuid = generator.uuid()
    numberByText = [text(&generator): generator.integer()]
    textByNumber = [generator.integer(): text(&generator)]
    rows = generator.list { $0.list { $0.integer() } }
    shape = .pair(.label(text: text(&generator), size: nil), .circle(double(&generator)))
    color = generator.pick(Color.allCases)
  }
}

/// Text that an XML property list can contain without a special meaning.
private enum XMLText {
  static func canHold(_ text: String) -> Bool {
    // Foundation's reader fails at every text that begins with `$null`.
    !text.contains("null")
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.value != 0xFFFE && scalar.value != 0xFFFF
          && (scalar.value >= 0x20 || "\t\n\r".unicodeScalars.contains(scalar))
      }
  }
}
