import SnapshotStore
import Testing

/// A `DirectValue` that does not write one value would leave a file that cannot be opened, so the program is stopped.
@Suite(.timeLimit(.minutes(30)))
struct DirectValueMistakeTests {
  /// Writes as many values as its raw value says.
  struct Value: RawRepresentable, Codable, Equatable, DirectValue {
    let rawValue: Int

    func write(to writer: inout RecordWriter) {
      for _ in 0..<rawValue { rawValue.write(to: &writer) }
    }
  }

  struct Item: DirectRecord {
    let id: Int
    var value: Value
    var text: String?

    init(values: Int) { (id, value) = (1, Value(rawValue: values)) }

    init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
      (id, value, text) = (try reader.read("id"), try reader.read("value"), try reader.readIfPresent("text"))
    }

    func write(to writer: inout RecordWriter) {
      writer.write("id", id)
      writer.write("value", value)
      writer.writeIfPresent("text", text)
    }
  }

  struct Items: Model {
    var items = Table<Item>()
    static let schema = Schema<Items>("items", version: 1, Field("items", \.items))

    init() {}

    init(values: Int, text: String? = nil) throws {
      var item = Item(values: values)
      item.text = text
      try items.insert(item)
    }
  }

  @Test func oneValueIsWritten() throws {
    for format in FileFormat.allCases {
      let bytes = try SnapshotFile.encode(try Items(values: 1), as: format)
      #expect(try SnapshotFile.decode(Items.self, from: bytes).items[1]?.value.rawValue == 1)
    }
  }

  @Test func noValueTraps() async {
    let atTheEnd = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try SnapshotFile.encode(try Items(values: 0), as: .json)
    }
    #expect(Self.text(atTheEnd).contains("writes no value under “value”. Make it write one."))
    let beforeAKey = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try SnapshotFile.encode(try Items(values: 0, text: "more"), as: .xml)
    }
    #expect(Self.text(beforeAKey).contains("writes no value under “value”. Make it write one."))
  }

  @Test func twoValuesTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try SnapshotFile.encode(try Items(values: 2), as: .binary)
    }
    #expect(Self.text(result).contains("writes two values under “value”. Make it write one."))
  }

  private static func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}
