import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Files of any shape are read strictly, and their values know their places.
struct UntypedDocumentTests {
  /// A value in a form that does not depend on the format, for comparisons.
  static func shown(_ value: UntypedValue) -> String {
    if let record = value.record {
      return "{" + record.map { "\($0.key.debugDescription):\(shown($0.value))" }.sorted().joined(separator: ",") + "}"
    }
    if let array = value.array { return "[" + array.map { shown($0) }.joined(separator: ",") + "]" }
    if let integer = value.integer { return "\(integer)" }
    if let bool = value.bool { return "\(bool)" }
    if let number = value.number { return "\(number) real" }
    return value.text?.debugDescription ?? value.kind.rawValue
  }

  @Test func threeFormats() throws {
    let root: [String: Any] = [
      "text": "a\"é\n", "list": [1, -5, 2.5, true, "x", [], [:]] as [Any], "inner": ["k": ["deep": false]],
    ]
    let json = try JSONSerialization.data(withJSONObject: root)
    let xml = try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
    let binary = try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
    let expected =
      #"{"inner":{"k":{"deep":false}},"list":[1,-5,2.5 real,true,"x",[],{}],"text":"a\"é\n"}"#
    for bytes in [json, xml, binary] {
      #expect(Self.shown(try UntypedDocument(reading: [UInt8](bytes)).root) == expected)
    }
  }

  @Test func aRecordInTheOrderOfTheFile() throws {
    let record = try UntypedDocument(reading: Array("{\"b\":1,\"a\":2,\"\u{E9}\":3,\"e\u{301}\":4}".utf8)).root.record
    #expect(record?.map(\.key).map { Array($0.utf8) } == ["b", "a", "\u{E9}", "e\u{301}"].map { Array($0.utf8) })
    #expect(record?.map(\.value.integer) == [1, 2, 3, 4])
    #expect(record?["e\u{301}"]?.integer == 4 && record?.underestimatedCount == 4)
  }

  @Test func placesOfErrors() throws {
    let text = "[\n {\"a\": 1},\n  {\"b\": \"x\"}]"
    let document = try UntypedDocument(reading: Array(text.utf8))
    let value = try #require(document.root.array?.last?.record?["b"])
    let error = document.error(.invalidValue, "no", at: value, dataPath: "[1].b")
    #expect(error.position == SnapshotError.Position(offset: 21, line: 3, column: 9))
    #expect(error.dataPath == "[1].b" && error.code == .invalidValue)
  }

  @Test func whatIsRefused() {
    each([
      ("{\"a\":1,\n\"a\":2}", SnapshotError.Code.duplicate), ("", .emptyFile), ("[1,]", .malformed),
      ("[1] 2", .malformed),
      ("[[[[[1]]]]]", .limitExceeded), ("[1,2,3,4]", .limitExceeded), ("[\"123456789\"]", .limitExceeded),
      ("[\"long long long long long long long long\"]", .tooLarge), ("x", .unknownFormat),
    ]) { (text: String, code: SnapshotError.Code) in
      let limits = ReadLimits(fileSize: 30, depth: 4, textSize: 8, elementCount: 3)
      expectRefusal(code) { _ = try UntypedDocument(reading: Array(text.utf8), limits: limits) }
    }
  }

  @Test func manyKeysAreLinear() throws {
    let ratio = try ScalingMeter.ratio(12_500) { size in
      let bytes = Array(("{" + (0..<size).map { "\"\($0)\":\($0)" }.joined(separator: ",") + "}").utf8)
      return {
        var sum: Int64 = 0
        for (_, value) in try #require(UntypedDocument(reading: bytes).root.record) { sum += value.integer ?? 0 }
        #expect(sum == Int64(size * (size - 1) / 2))
      }
    }
    #expect(ratio <= ScalingMeter.limit)
  }
}
