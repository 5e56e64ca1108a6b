import Foundation
import SnapshotStore
import Testing

@testable import SnapshotCommands
@testable import TestSupport

/// The language of conditions: what a text means, for values of every kind.
@Suite struct QueryTests {
  private static let record = make()

  private static func make() -> UntypedValue {
    let text = """
      [{"id":7,"name":"Zoë","tags":["paris","kiln",3,true],"count":9007199254740993,"half":0.5,"one":1.0,
      "archived":true,"draft":false,"nothing":null,"day":"2026-01-01","at":"2026-01-01T10:00:00Z",
      "size":{"width":20,"a b":{"deep":[{"x":"y"}]},"empty":{}},"and":"word","none":[],
      "text":"one \\"two\\" \\ud83d\\ude00\\n","blog-name":"b"}]
      """
    let document = try? UntypedDocument(reading: Array(text.utf8))
    var record = document?.root.array?.first?.record ?? [:]
    record["nan"] = UntypedValue(Double.nan)
    record["big"] = UntypedValue(Double.infinity)
    record["when"] = UntypedValue(Date(timeIntervalSinceReferenceDate: 0))
    record["bytes"] = UntypedValue(data: [1, 2])
    return UntypedValue(record)
  }

  private static func matches(_ text: String, _ record: UntypedValue = record) throws -> Bool {
    do {
      return try Query(text).matches(record)
    } catch {
      Issue.record("\(text): \(error.message) at \(error.column)")
      throw error
    }
  }

  @Test func whatIsTrue() {
    each([
      "id == 7", "7 == id", "id==7", "id == 7.0", "id != 8", "id < 8", "id <= 7", "id >= 7", "id > 6.5", "one == 1",
      "name == \"Zoë\"", "name > \"Zo\"", "name == \"Zo\\u00eb\"", "name starts with \"Z\"", "name ends with \"oë\"",
      "name contains \"o\"", "name contains \"\"", "text contains \"\\\"two\\\" \\ud83d\\ude00\\n\"",
      "tags has \"paris\"", "tags has 3", "tags has 3.0", "tags has true", "tags[1] == \"kiln\"", "size has \"width\"",
      "not tags has \"x\"", "tags[9] is missing", "size.width == 20", "size[\"width\"] >= 20",
      "size[\"a b\"].deep[0].x == \"y\"", "[\"and\"] == \"word\"", "[ \"and\" ] == \"word\"", "blog-name == \"b\"",
      "archived", "not draft", "archived == true", "draft == false", "archived != draft", "true", "not false",
      "nothing is null", "nothing == null", "nothing is not missing", "id is not null", "other is missing",
      "other is not null", "other != 1", "other != other", "size.other.more is missing", "name[0] is missing",
      "id == 7 and name == \"Zoë\"", "id == 8 or archived", "id == 8 and draft or archived",
      "archived or id == 8 and draft", "not (id == 8 or draft)", "not not archived", "((id == 7))",
      "at == 2026-01-01T10:00:00Z", "at >= 2026-01-01", "at < 2026-01-02", "at == 2026-01-01T11:00:00+01:00",
      "day == 2026-01-01", "when == 2001-01-01", "when == \"2001-01-01T00:00:00Z\"", "when < at", "day < at",
      "when starts with \"2001-\"", "tags == tags", "size == size", "none == none", "bytes == bytes", "none != size",
      " \t\n id\n==\n7 ", "id is not missing and (archived and (not draft))",
    ]) { (text: String) throws in #expect(try Self.matches(text)) }
  }

  @Test func whatIsFalse() {
    each([
      "id != 7", "id == \"7\"", "id < \"8\"", "id > \"6\"", "name == 7", "name < 7", "name > 7", "archived == 1",
      "archived < true", "archived <= true", "draft", "id", "name", "other", "not archived", "nothing", "false",
      "nothing < 1", "nothing is missing", "other is null", "other == null", "other == other", "other < 1",
      "tags contains \"paris\"", "name has \"Z\"", "size has \"y\"", "tags has \"Paris\"", "name == \"zoë\"",
      // The two Unicode forms of a letter are different bytes.
      "name == \"Zoe\\u0308\"", "name contains \"Zoë!\"", "day == \"2026-01-01T00:00:00Z\"",
      "at == 2026-01-01", "name >= 2026-01-01", "id >= 2001-01-01", "2001-01-01 == 0", "when == 0", "bytes == \"AQI=\"",
      "tags < tags", "size <= size", "tags == none", "tags[0][0] == \"p\"", "id.x == 7",
    ]) { (text: String) throws in #expect(try !Self.matches(text)) }
  }

  /// An integer is never rounded, and NaN equals nothing.
  @Test func numbersAreExact() throws {
    each([
      ("count == 9007199254740993", true), ("count == 9007199254740992", false), ("count > 9007199254740992.0", true),
      ("count == 9007199254740992.0", false), ("count < 9007199254740994.0", true),
      ("count == 9.007199254740993e15", true),
      ("half == 0.5", true), ("half < 1", true), ("half > 0", true), ("id > -1e300", true),
      ("big > 18446744073709551615", true),
      ("nan == nan", false), ("nan != nan", true), ("nan < 1", false), ("nan >= 1", false), ("big == big", true),
      ("id < 18446744073709551615", true), ("id < 99999999999999999999999", true), ("id > -9223372036854775808", true),
      ("-0 == 0", true), ("-0.0 == 0", true), ("1e2 == 100", true),
    ]) { (text: String, expected: Bool) throws in
      #expect(try Self.matches(text) == expected)
    }
    let most = try UntypedDocument(reading: Array(#"[{"n":18446744073709551615,"m":9223372036854775807}]"#.utf8))
    let record = try #require(most.root.array?.first)
    each([
      ("n == 18446744073709551615", true), ("n == 18446744073709551614", false), ("n > m", true), ("m < n", true),
      ("n < 18446744073709551616.0", true), ("m < 9223372036854775808.0", true), ("n > -1", true), ("n != m", true),
    ]) { (text: String, expected: Bool) throws in #expect(try Self.matches(text, record) == expected) }
  }

  /// The kernel spells names as the language reads them.
  @Test func namesOfPropertiesAreRead() throws {
    let bytes = (0...0x7F).map { String(Unicode.Scalar(UInt8($0))) }
    let keys = bytes + bytes.map { "a" + $0 } + QueryParser.reserved.sorted() + ["", "é", "a.b", "[0]", "\u{85}", "日本"]
    for key in keys {
      let name = RecordDifference.Property.name(of: key, in: RecordDifference.Property.name(of: key))
      let steps = [PropertyPath.Step.key(ExactText(key)), .key(ExactText(key))]
      #expect(try PropertyPath(name).steps == steps, "\(name)")
    }
  }

  /// The place of an error, in characters from 1, and a word of its message.
  @Test func errorsHaveAPlace() {
    each([
      ("", 1, "expected a property or a value"), ("   ", 4, "expected"), ("id ==", 6, "expected a property or a value"),
      ("id = 7", 4, "“=” is written “==”"), ("id == 7 && a", 9, "written “and”"), ("!a", 1, "written “not”"),
      ("a || b", 3, "written “or”"), ("id == 'x'", 7, "double quotes"), ("id == \"x", 7, "has no end"),
      ("(a", 1, "has no “)”"), ("(a b", 4, "“)”"), ("a)", 2, "has no “(”"),
      ("a b", 3, "expected “and”, “or” or the end"),
      ("a == 1 b", 8, "expected “and”"), ("1 < a < 3", 7, "expected “and”"), ("\"x\"", 4, "comparison"),
      ("7", 2, "comparison"),
      ("a starts \"x\"", 10, "with"), ("a is 7", 6, "missing"), ("a is not", 9, "missing"),
      ("7 is null", 1, "property"),
      ("a == missing", 6, "after “is”"), ("a == and", 6, "[\"and\"]"), ("and", 1, "[\"and\"]"),
      ("a and", 6, "expected"),
      ("a == 01", 6, "no number"), ("a == 1e100000000000000000", 6, "no number"), ("a == 1.", 6, "no number"),
      ("a == 1x", 6, "no number"), ("a == -", 6, "no number"),
      ("a == 2026-02-30", 6, "no date"), ("a == 2026-1-1", 6, "no date"), ("a == 2026-01-01T25:00:00Z", 6, "no date"),
      ("a.", 3, "name"), ("a.0", 3, "name"), ("a[x]", 3, "number"), ("a[0", 4, "“]”"), ("[0] == 1", 4, "begins with"),
      ("a[99999999999999999999]", 3, "number"), ("a == \"\\x\"", 7, "escape"), ("a == \"\\u12\"", 7, "four"),
      ("a == \"\\ud800\"", 7, "pair"), ("Zoë == #", 8, "meaning"), ("😀😀 == 'a'", 7, "double quotes"),
      ("a\u{0} == 1", 2, "meaning"),
    ]) { (text: String, column: Int, message: String) in
      let error = #expect(throws: QueryError.self) { try Query(text) }
      #expect(error?.column == column)
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
  }

  /// A text of any length and depth takes linear time, and no deep stack.
  @Test func hugeConditions() throws {
    let count = 100_000
    let deep = String(repeating: "(", count: count)
    let error = #expect(throws: QueryError.self) { try Query(deep + "a" + String(repeating: ")", count: count)) }
    #expect(error?.column == QueryParser.depthLimit + 1)
    #expect(throws: QueryError.self) { try Query(String(repeating: "not ", count: count) + "a") }
    #expect(try Self.matches(Array(repeating: "archived", count: 10_000).joined(separator: " and ")))
    #expect(try !Self.matches(Array(repeating: "draft", count: 10_000).joined(separator: " or ")))
    #expect(try !Self.matches("a" + String(repeating: ".a", count: 10_000)))
    let limit = QueryParser.depthLimit
    #expect(try Self.matches(String(repeating: "(", count: limit) + "id == 7" + String(repeating: ")", count: limit)))
  }

  /// Every place of a part, short and long, in texts that repeat themselves.
  @Test func partsOfTexts() {
    each(SeededGenerator.seeds(8)) { (seed: UInt64) in
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<300 {
        let text = String(
          (0..<Int.random(in: 0...60, using: &generator)).map { _ in
            Bool.random(using: &generator) ? "a" : "b" as Character
          })
        let part = String(
          (0..<Int.random(in: 0...24, using: &generator)).map { _ in
            Int.random(in: 0...9, using: &generator) > 1 ? "a" : "b" as Character
          })
        let own = String(text.dropFirst(text.count / 3).prefix(part.count))
        #expect(text.holdsBytes(of: part) == (part.isEmpty || text.contains(part)), "\(part) in \(text)")
        #expect(text.holdsBytes(of: own))
      }
    }
    let long = String(repeating: "a", count: 1 << 20)
    #expect(!long.holdsBytes(of: String(repeating: "a", count: 1 << 19) + "b"))
    #expect((long + "b").holdsBytes(of: String(repeating: "a", count: 1 << 19) + "b"))
  }

  @Test func pathsAreWrittenAsTheyAreRead() {
    each(["a", "a.b", "a[0]", "a[\"b c\"]", "[\"and\"].x", "[\"0\"]", "a[1][2].é", "[\"\\n\\\"\"]", "a-b"]) {
      (text: String) throws in
      #expect(try PropertyPath(text).description == text)
    }
    each([("a", 1), ("a,b", 2), (" a.b , [\"x,y\"] ,c[0]", 3)]) { (text: String, count: Int) throws in
      #expect(try PropertyPath.list(text).count == count)
    }
    each(["", ",", "a,", "a b", "a=="]) { (text: String) in
      #expect(throws: QueryError.self) { try PropertyPath.list(text) }
    }
    #expect(throws: QueryError.self) { try PropertyPath("a,b") }
  }

  @Test func namedPropertiesAreKnown() throws {
    let query = Query(all: [try Query("a.b == c and not (a.b == 1 or x has d)"), try Query("e is missing")])
    #expect(query.paths.map(\.description) == ["a.b", "c", "x", "d"])
    #expect(Query(all: []).matches(Self.record))
  }
}
