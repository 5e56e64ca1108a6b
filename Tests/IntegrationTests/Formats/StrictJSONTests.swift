import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The grammar of RFC 8259 and nothing else. Errors have line, column and byte.
@Suite struct StrictJSONTests {
  static let header = "{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\n"

  /// The text after the header, the code, the text of the error, and its offset in the second line.
  static let broken: [(rest: String, message: String, offset: Int)] = [
    ("\"tags\":[],}", "the comma before this “}” is one too many", 10),
    ("\"tags\":[{\"id\":\"a\",\"name\":\"a\"},]}", "the comma before this “]” is one too many", 30),
    ("\"tags\":[,]}", "expected a value, found “,”", 8),
    ("\"tags\":[]", "expected “,” or “}”, found the end of the file", 9),
    ("\"tags\":[", "expected a value, found the end of the file", 8),
    ("\"tags\":", "expected a value, found the end of the file", 7),
    ("\"tags\"", "expected “:”, found the end of the file", 6),
    ("\"tags\" []}", "expected “:”, found “[”", 7),
    ("\"tags\":[]]", "expected “,” or “}”, found “]”", 9),
    ("\"tags\":[]}x", "expected the end of the file, found “x”", 10),
    ("\"tags\":[]}{}", "expected the end of the file, found “{”", 10),
    ("\"tags\":[]}\0", "expected the end of the file, found “\\u{0}”", 10),
    ("// comment\n\"tags\":[]}", "expected a key in quotation marks, found “/”", 0),
    ("/* comment */\"tags\":[]}", "expected a key in quotation marks, found “/”", 0),
    ("\"tags\":[] /* comment */}", "expected “,” or “}”, found “/”", 10),
    ("tags:[]}", "expected a key in quotation marks, found “t”", 0),
    ("'tags':[]}", "expected a key in quotation marks, found “'”", 0),
    ("\"tags\":[{\"id\":tru}]}", "expected a value, found “t”", 14),
    ("\"tags\":[{\"id\":True}]}", "expected a value, found “T”", 14),
    ("\"tags\":[{\"id\":nul", "expected a value, found “n”", 14),
    ("\"tags\":[{\"id\":NaN}]}", "expected a value, found “N”", 14),
    ("\"tags\":[{\"id\":Infinity}]}", "expected a value, found “I”", 14),
    ("\"tags\":[{\"id\":undefined}]}", "expected a value, found “u”", 14),
    ("\"tags\":[{\"id\":01}]}", "a number may not start with 0", 15),
    ("\"tags\":[{\"id\":-01}]}", "a number may not start with 0", 16),
    ("\"tags\":[{\"id\":+1}]}", "expected a value, found “+”", 14),
    ("\"tags\":[{\"id\":.5}]}", "expected a value, found “.”", 14),
    ("\"tags\":[{\"id\":5.}]}", "expected a digit, found “}”", 16),
    ("\"tags\":[{\"id\":5e}]}", "expected a digit, found “}”", 16),
    ("\"tags\":[{\"id\":5e+}]}", "expected a digit, found “}”", 17),
    ("\"tags\":[{\"id\":-}]}", "expected a digit, found “}”", 15),
    ("\"tags\":[{\"id\":0x10}]}", "expected “,” or “}”, found “x”", 15),
    ("\"tags\":[{\"id\":1_000}]}", "expected “,” or “}”, found “_”", 15),
    ("\"tags\":[{\"id\":1 2}]}", "expected “,” or “}”, found “2”", 16),
    ("\"tags\":[{\"id\":\"a\nb\"}]}", "a control character in a string must be escaped", 16),
    ("\"tags\":[{\"id\":\"\0\"}]}", "a control character in a string must be escaped", 15),
    ("\"tags\":[{\"id\":\"abc", "the string is not closed", 14),
    ("\"tags\":[{\"id\":\"abc\\", "the escape is cut off", 18),
    ("\"tags\":[{\"id\":\"\\x41\"}]}", "unknown escape in a string", 15),
    ("\"tags\":[{\"id\":\"\\'\"}]}", "unknown escape in a string", 15),
    ("\"tags\":[{\"id\":\"\\u12\"}]}", "four hexadecimal digits", 15),
    ("\"tags\":[{\"id\":\"\\u12G4\"}]}", "four hexadecimal digits", 15),
    ("\"tags\":[{\"id\":\"\\u+123\"}]}", "four hexadecimal digits", 15),
    ("\"tags\":[{\"id\":\"\\u12", "four hexadecimal digits", 15),
    ("\"tags\":[{\"id\":\"\\ud800\"}]}", "half of a surrogate pair", 15),
    ("\"tags\":[{\"id\":\"\\udc00\"}]}", "half of a surrogate pair", 15),
    ("\"tags\":[{\"id\":\"\\ud83d\\ud83d\"}]}", "half of a surrogate pair", 15),
    ("\"tags\":[{\"id\":\"\\ud83dx\"}]}", "half of a surrogate pair", 15),
    ("\"tags\":[{\"id\":\"\\ud83d\\n\"}]}", "half of a surrogate pair", 15),
    ("\"tags\":[{\"id\":\"\\ud83d\\u12", "four hexadecimal digits", 15),
    ("\u{A0}\"tags\":[]}", "expected a key in quotation marks, found the character U+A0", 0),
    ("\u{FEFF}\"tags\":[]}", "expected a key in quotation marks, found the character U+FEFF", 0),
    ("\u{C}\"tags\":[]}", "expected a key in quotation marks, found “\\u{C}”", 0),
  ]

  @Test func brokenGrammar() {
    each(Self.broken) { (rest: String, message: String, offset: Int) in
      let error = expectRefusal(of: Self.header + rest, .malformed, containing: message)
      let start = Self.header.utf8.count
      #expect(error?.position == SnapshotError.Position(offset: start + offset, line: 2, column: offset + 1))
    }
  }

  @Test func numbersOutOfRange() {
    each(["1e100000000000000000", "-1e-100000000000000000", "1e99999999999999999999"]) {
      (number: String) in
      let text = "\(Self.header)\"tags\":[{\"id\":\(number)}]}"
      let error = expectRefusal(of: text, .invalidValue, containing: "is out of range")
      #expect(error?.position?.column == 15)
    }
  }

  @Test func duplicateKeys() {
    each([
      ("{\"a\":1,\"a\":2}", "“a” occurs twice", 7), ("{\"a\":1,\"\\u0061\":2}", "“a” occurs twice", 7),
      ("{\"e\u{301}\":1,\"e\\u0301\":2}", "occurs twice", 9), ("{\"b\":{\"a\":1,\"a\":1}}", "“a” occurs twice", 12),
    ]) { (record: String, message: String, offset: Int) in
      let text = "\(Self.header)\"tags\":[\(record)]}"
      let error = expectRefusal(of: text, .duplicate, containing: message)
      #expect(error?.position?.offset == Self.header.utf8.count + 8 + offset)
    }
  }

  static let faults: [(text: String, code: String, message: String)] = [
    ("{\"tags\":[]}", "wrongSchema", "“snapshot” is missing"),
    ("{}", "wrongSchema", "“snapshot” is missing"),
    ("{\"snapshot\":5}", "wrongSchema", "expected a dictionary, found an integer"),
    ("{\"snapshot\":{}}", "wrongSchema", "the name of the schema is missing"),
    ("{\"snapshot\":{\"schema\":5,\"version\":1}}", "wrongSchema", "the name of the schema is missing"),
    ("{\"snapshot\":{\"schema\":\"notebook\"}}", "wrongSchema", "the version of the schema is missing"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":\"1\"}}", "wrongSchema", "the version of the schema"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1.0}}", "wrongSchema", "the version of the schema"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":0}}", "wrongSchema", "the version of the schema"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":2}}", "newerVersion", "version 2"),
    ("{\"snapshot\":{\"schema\":\"shelf\",\"version\":1}}", "wrongSchema", "has the schema “shelf”"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1,\"x\":1}}", "unknownKey", "unknown key “x”"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1,\"checksun\":1}}", "unknownKey", "“checksun”"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1,\"checksum\":null}}", "invalidValue", "checksum"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1,\"checksum\":\"5\"}}", "invalidValue", "checksum"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1,\"checksum\":-1}}", "invalidValue", "checksum"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1,\"checksum\":4294967296}}", "invalidValue", "checksum"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1,\"checksum\":5}}", "checksumMismatch", "edited by hand"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1,\"version\":1}}", "duplicate", "“version”"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"snapshot\":{}}", "duplicate", "“snapshot”"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"tags\":[],\"tags\":[]}", "duplicate", "“tags”"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"x\":[]}", "unknownKey", "no table “x”"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"tags\":{}}", "invalidValue", "expected an array"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"tags\":null}", "invalidValue", "found null"),
  ]

  @Test func faultsInTheHeaderAndTheTables() {
    each(Self.faults) { (text: String, code: String, message: String) in
      expectRefusal(of: text, SnapshotError.Code(rawValue: code), containing: message)
      // In another layout the fault is the same.
      expectRefusal(of: text.replacing(",", with: " ,\r\n\t"), SnapshotError.Code(rawValue: code), containing: message)
    }
  }

  @Test func aFaultDeepInTheFileHasItsPlace() throws {
    let tag = "{\"id\":\"a\",\"name\":\"a\"}"
    let bad = "{\"id\":\"é\",\"name\":\"é\",\"nameModificationDate\":\"2001-02-29T00:00:00Z\"}"
    let text = "\(Self.header)\"tags\":[\n\(tag),\n  \(bad)\n]}\n"
    let error = expectRefusal(of: text, .invalidValue, at: "tags[1].nameModificationDate")
    #expect(error?.position?.line == 4)
    // Columns count bytes: both é have two.
    #expect(error?.position?.column == 3 + bad.prefix { $0 != "2" }.utf8.count - 1)
    let offset = try #require(error?.position?.offset)
    #expect(Array(text.utf8)[offset...].starts(with: "\"2001-02-29".utf8))
  }

  @Test func whiteSpaceAndOrderAreFree() throws {
    let text = """
      \r\n\t { "tags" : [ { "name" : "A\\/b" , "id" : "a\\/b" } ] ,
      "snapshot" : { "version" : 1 , "schema" : "not\\u0065book" } }\t\r\n
      """
    let notebook = try SnapshotFile.decode(Notebook.self, from: Array(text.utf8))
    #expect(notebook.tags.first?.name == "A/b")
  }
}
