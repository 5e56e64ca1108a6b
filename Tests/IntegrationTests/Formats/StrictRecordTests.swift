import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Invalid records in a well-formed file. Every fault is found in every format, with its place in the data.
@Suite struct StrictRecordTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    /// `a.b` stands for the member `b` of the member `a`.
    let path: String
    /// The value there; nil removes the member.
    let value: Item?
    let code: SnapshotError.Code
    let dataPath: String
    let text: String
    var testDescription: String { name }

    init(
      _ name: String, _ path: String, _ value: Item?, _ code: SnapshotError.Code, at dataPath: String = "",
      _ text: String = ""
    ) {
      (self.name, self.path, self.value) = (name, path, value)
      (self.code, self.dataPath, self.text) = (code, dataPath, text)
    }

    func applied(to record: Item) -> Item {
      let keys = path.split(separator: ".").map(String.init)
      guard keys.count == 2 else { return record.changing([path: value]) }
      return record.changing([keys[0]: record[ExactText(keys[0])]?.changing([keys[1]: value])])
    }
  }

  static let noteFaults = [
    Fault("unknown key", "colour", "red", .unknownKey, "unknown key “colour”"),
    Fault("unknown key in another case", "Text", "red", .unknownKey, "unknown key “Text”"),
    Fault("unknown key with null", "colour", Item(.null), .unknownKey, "unknown key “colour”"),
    Fault("missing id", "id", nil, .missingKey, "the key “id” is missing"),
    Fault("missing text", "text", nil, .missingKey, "the key “text” is missing"),
    Fault("missing tags", "tags", nil, .missingKey, "the key “tags” is missing"),
    Fault("1.0 as id", "id", 1.0, .invalidValue, at: ".id", "expected an integer, found a number with a fraction"),
    Fault("\"5\" as id", "id", "5", .invalidValue, at: ".id", "expected an integer, found text"),
    Fault("true as id", "id", true, .invalidValue, at: ".id", "expected an integer, found true or false"),
    Fault("null as id", "id", Item(.null), .invalidValue, at: ".id", "found null"),
    Fault("id beyond Int64", "id", Item(.unsigned(1 << 63)), .invalidValue, at: ".id", "out of range"),
    Fault("1 as a truth", "archived", 1, .invalidValue, at: ".archived", "expected true or false, found an integer"),
    Fault("text as a truth", "archived", "true", .invalidValue, at: ".archived", "expected true or false, found text"),
    Fault("number as text", "text", 5, .invalidValue, at: ".text", "expected text, found an integer"),
    Fault("null as text", "text", Item(.null), .invalidValue, at: ".text", "expected text, found null"),
    Fault("array as text", "text", [], .invalidValue, at: ".text", "expected text, found an array"),
    Fault(
      "word as a date", "sortDate", "yesterday", .invalidValue, at: ".sortDate", "“yesterday” is not a date such as"),
    Fault("truth as a date", "sortDate", true, .invalidValue, at: ".sortDate", "expected a date"),
    Fault("30 February", "sortDate", "2001-02-30T00:00:00Z", .invalidValue, at: ".sortDate", "is not a date such as"),
    Fault("number as a date", "sortDate", 424_242_424, .invalidValue, at: ".sortDate", "expected a date such as"),
    Fault("array as a date", "sortDate", [], .invalidValue, at: ".sortDate", "found an array"),
    Fault("word as an optional date", "tagsModificationDate", "x", .invalidValue, at: ".tagsModificationDate"),
    Fault("dictionary as tags", "tags", [:], .invalidValue, at: ".tags", "expected an array, found a dictionary"),
    Fault("text as tags", "tags", "paris", .invalidValue, at: ".tags", "expected an array, found text"),
    Fault("number among tags", "tags", ["a", 5], .invalidValue, at: ".tags[1]", "expected text, found an integer"),
    Fault("null among tags", "tags", ["a", "b", Item(.null)], .invalidValue, at: ".tags[2]", "found null"),
  ]

  @Test func aFaultInANoteIsFound() {
    each(FileFormat.allCases, Self.noteFaults) { (format: FileFormat, fault: Fault) throws in
      let good = try Crafted.note(1)
      let bytes = Crafted.document(["notes": [good, fault.applied(to: try Crafted.note(2))]], as: format)
      let error = expectRefusal(of: bytes, fault.code, containing: fault.text, at: "notes[1]" + fault.dataPath)
      #expect(error?.position != nil)
    }
  }

  static let shelfFaults = [
    Fault("Int8", "integers.int8", 128, .invalidValue, at: ".integers.int8", "out of range for Int8"),
    Fault("Int8 below", "integers.int8", -129, .invalidValue, at: ".integers.int8", "out of range"),
    Fault("UInt8", "integers.uint8", -1, .invalidValue, at: ".integers.uint8", "out of range for UInt8"),
    Fault("UInt16", "integers.uint16", 65_536, .invalidValue, at: ".integers.uint16", "out of range"),
    Fault("Int32", "integers.int32", 2_147_483_648, .invalidValue, at: ".integers.int32", "out of range"),
    Fault("UInt64", "integers.uint64", -1, .invalidValue, at: ".integers.uint64", "out of range"),
    Fault("Float", "float", 1e300, .invalidValue, at: ".float", "out of range for Float"),
    Fault("text as Double", "double", "5", .invalidValue, at: ".double", "expected a number, found text"),
    Fault("word like NaN", "double", "NaN(0x1)", .invalidValue, at: ".double", "expected a number, found text"),
    Fault("signed bits of a NaN", "double", "NaN(0x+7ff8000000000001)", .invalidValue, at: ".double"),
    Fault("UUID", "uuid", "x", .invalidValue, at: ".uuid"),
    Fault("URL", "url", "http://[/", .invalidValue, at: ".url", "is not a URL"),
    Fault("text as Decimal", "decimal", "five", .invalidValue, at: ".decimal", "expected a decimal number"),
    Fault("rest after Decimal", "decimal", "5 apples", .invalidValue, at: ".decimal"),
    Fault("two points in Decimal", "decimal", "1.2.3", .invalidValue, at: ".decimal"),
    Fault("base64", "data", "AAA", .invalidValue, at: ".data", "base64"),
    Fault("base64 with rest bits", "data", "AB==", .invalidValue, at: ".data", "base64"),
    Fault("raw value", "color", "mauve", .invalidValue, at: ".color"),
    Fault("raw value with an escape", "color", "\u{1B}[31m", .invalidValue, at: ".color"),
    Fault("raw integer", "level", 7, .invalidValue, at: ".level"),
    Fault("unknown case", "shape", ["square": [:]], .invalidValue, at: ".shape"),
    Fault("two cases", "shape", ["nothing": [:], "circle": ["_0": 1]], .invalidValue, at: ".shape"),
    Fault("no case", "shape", [:], .invalidValue, at: ".shape"),
    Fault("key beside a case", "shape", ["nothing": [:], "x": 1], .unknownKey, at: ".shape", "unknown key “x”"),
    Fault("key in a case", "shape", ["circle": ["_0": 1, "x": 1]], .unknownKey, at: ".shape.circle", "“x”"),
    Fault("key in an empty case", "shape", ["nothing": ["x": 1]], .unknownKey, at: ".shape.nothing", "“x”"),
    Fault("key in a nested value", "integers.x", 1, .unknownKey, at: ".integers", "unknown key “x”"),
    Fault("key in a value in an array", "shapes", [["label": ["text": "", "x": 1]]], .unknownKey, "“x”"),
    Fault("key in a container made by hand", "byHand.outer", ["inner": 1, "list": [], "x": 1], .unknownKey, "“x”"),
    Fault("key for the base class", "cat.super", ["legs": 4, "x": 1], .unknownKey, at: ".cat.super", "“x”"),
    Fault("missing base class", "cat.super", nil, .invalidValue, at: ".cat.super"),
    Fault("value of a dictionary", "numberByText", ["a": "b"], .invalidValue, at: ".numberByText.a"),
    Fault("key of a dictionary", "textByNumber", ["a": "b"], .invalidValue, at: ".textByNumber.a"),
    Fault("one number by two spellings", "textByNumber", ["5": "a", "05": "b"], .duplicate, at: ".textByNumber"),
    Fault("odd count of keys and values", "doubleByUUID", ["x"], .invalidValue, at: ".doubleByUUID"),
    Fault(
      "one key twice among pairs",
      "doubleByUUID", ["00000000-0000-0000-0000-000000000000", 1, "00000000-0000-0000-0000-000000000000", 2],
      .duplicate, at: ".doubleByUUID"),
    Fault("one element twice in a set", "words", ["a", "a"], .duplicate, at: ".words"),
    Fault("too many rows", "matrix", [[1], 2], .invalidValue, at: ".matrix[1]", "expected an array"),
  ]

  @Test func aFaultInAnyShapeIsFound() {
    each(FileFormat.allCases, Self.shelfFaults) { (format: FileFormat, fault: Fault) throws in
      let record = fault.applied(to: try ItemEncoder.item(forRecord: Awkward(id: 1)))
      let bytes = Crafted.document(["items": [record]], as: format, schema: "shelf")
      let path = fault.dataPath.isEmpty ? nil : "items[0]" + fault.dataPath
      expectRefusal(of: bytes, as: Shelf.self, fault.code, containing: fault.text, at: path)
    }
  }

  /// A program that knows no types may have made a text such a value, if another one had taken the escape away.
  @Test func aTextIsWhatJSONShowsForAValue() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      for (content, text) in [
        (.data([0x41, 0xFF]), "data:;base64,Qf8="), (.date(0.5), "2001-01-01T00:00:00.5Z"), (.real(.nan), "NaN"),
      ] as [(Item.Content, String)] {
        let bytes = Crafted.document(["notes": [try Crafted.note(1, changing: ["text": Item(content)])]], as: format)
        #expect(try SnapshotFile.decode(Notebook.self, from: bytes).notes[1]?.text == text)
      }
      let bytes = Crafted.document(["notes": [try Crafted.note(1, changing: ["text": 0.5])]], as: format)
      expectRefusal(of: bytes, .invalidValue, containing: "expected text, found a number", at: "notes[0].text")
    }
  }

  @Test func aRecordMustBeADictionary() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      for (record, text) in [(Item(.null), "null"), (5, "an integer"), ("x", "text"), ([], "an array")]
        as [(Item, String)]
      {
        let bytes = Crafted.document(["notes": [try Crafted.note(1), record]], as: format)
        expectRefusal(of: bytes, .invalidValue, containing: "expected a dictionary, found \(text)", at: "notes[1]")
      }
    }
  }
}
