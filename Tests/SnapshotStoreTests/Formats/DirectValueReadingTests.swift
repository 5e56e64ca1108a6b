import SnapshotStore
import Testing

/// A `DirectValue` that does not read exactly one value is read by `Codable`, so both ways give the same result.
@Suite(.timeLimit(.minutes(30)))
struct DirectValueReadingTests {
  /// Tries one type after the other.
  enum Number: Codable, Equatable, DirectValue {
    case whole(Int64)
    case fraction(Double)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let whole = try? container.decode(Int64.self) {
        self = .whole(whole)
      } else {
        self = .fraction(try container.decode(Double.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .whole(let value): try container.encode(value)
      case .fraction(let value): try container.encode(value)
      }
    }

    init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
      if let whole = try? Int64(reading: &reader) {
        self = .whole(whole)
      } else {
        self = .fraction(try Double(reading: &reader))
      }
    }

    func write(to writer: inout RecordWriter) {
      switch self {
      case .whole(let value): value.write(to: &writer)
      case .fraction(let value): value.write(to: &writer)
      }
    }
  }

  /// Is always 1, and so reads nothing.
  struct One: Codable, Equatable, DirectValue {
    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard try container.decode(Int.self) == 1 else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "is not 1")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(1)
    }

    init(reading reader: inout RecordReader) {}
    func write(to writer: inout RecordWriter) { 1.write(to: &writer) }
  }

  struct Item<Value: Codable & Equatable & DirectValue>: DirectRecord {
    let id: Int
    var value: Value

    init(value: Value) { (id, self.value) = (1, value) }

    init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
      (id, value) = (try reader.read("id"), try reader.read("value"))
    }

    func write(to writer: inout RecordWriter) {
      writer.write("id", id)
      writer.write("value", value)
    }
  }

  struct Items<Value: Codable & Equatable & DirectValue>: Model {
    var items = Table<Item<Value>>()
    static var schema: Schema<Items> { Schema("items", version: 1, Field("items", \.items)) }

    init() {}
    init(_ value: Value) throws { try items.insert(Item(value: value)) }
  }

  private static let edited = ReadOptions(acceptsChecksumMismatch: true)

  @Test(arguments: FileFormat.allCases)
  func eitherTypeIsRead(format: FileFormat) throws {
    for value in [Number.whole(-7), .fraction(0.25)] {
      let bytes = try SnapshotFile.encode(try Items(value), as: format)
      #expect(try SnapshotFile.decode(Items<Number>.self, from: bytes).items[1]?.value == value)
    }
  }

  /// The first type reads nineteen digits of this number. The rest of it is a number too.
  @Test func secondTypeDoesNotReadTheRest() throws {
    let text = String(decoding: try SnapshotFile.encode(try Items(Number.fraction(0.25)), as: .json), as: UTF8.self)
    let bytes = Array(text.replacing("0.25", with: "12345678901234567168.0").utf8)
    let read = try SnapshotFile.decode(Items<Number>.self, from: bytes, options: Self.edited)
    #expect(read.items[1]?.value == .fraction(12_345_678_901_234_567_890.5))
  }

  @Test(arguments: FileFormat.allCases)
  func valueThatIsNotReadIsChecked(format: FileFormat) throws {
    let one = try SnapshotFile.encode(try Items(One()), as: format)
    #expect(try SnapshotFile.decode(Items<One>.self, from: one).items.count == 1)
    let two = try SnapshotFile.encode(try Items(2), as: format)
    #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Items<One>.self, from: two) }
  }
}
