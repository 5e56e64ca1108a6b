import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Single values beside tables, in every format.
@Suite struct SingleValueFormatTests {
  private static func decoded(_ bytes: [UInt8]) throws -> Workspace {
    try SnapshotFile.decode(Workspace.self, from: bytes)
  }

  @Test func theyComeBackExactly() {
    each(FileFormat.allCases, SeededGenerator.seeds(6)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let workspace = try Workspace.random(&generator)
      let bytes = try SnapshotFile.encode(workspace, as: format)
      let again = try Self.decoded(bytes)
      #expect(again.isStoredLike(workspace))
      #expect(Exact.lines(again.theme) == Exact.lines(workspace.theme))
      #expect(again.ratio.bitPattern == workspace.ratio.bitPattern)
      #expect(try SnapshotFile.encode(again, as: format) == bytes)
      // By way of every other format.
      for other in FileFormat.allCases {
        let via = try Self.decoded(SnapshotFile.encode(again, as: other))
        #expect(try SnapshotFile.encode(via, as: format) == bytes)
      }
      #expect(again.allViolations() == [])
    }
  }

  @Test func theyStandInTheOrderOfTheSchema() throws {
    var workspace = Workspace()
    try workspace.items.insert(Counter(id: 1, value: 2))
    workspace.theme.accent = "red"
    workspace.theme.size = 12.5
    func text(_ format: FileFormat) throws -> [Substring] {
      String(decoding: try SnapshotFile.encode(workspace, as: format), as: UTF8.self).split(separator: "\n")
    }
    let json = #"""
      "schema":"workspace","version":1,"values":["recent"]},
      "theme":{"name":"light","accent":"red","size":12.5,"margins":{"left":1,"right":1}},
      "items":[
      {"id":1,"value":2}
      ],
      "mode":"edit",
      "recent":["first"],
      "selected":null,
      "others":[],
      "dates":{},
      "ratio":0.5}
      """#
    #expect(try text(.json).dropFirst().joined(separator: "\n") == json)
    let lines = #"""
      {"field":"theme","value":{"name":"light","accent":"red","size":12.5,"margins":{"left":1,"right":1}}}
      {"table":"items","record":{"id":1,"value":2}}
      {"field":"mode","value":"edit"}
      {"field":"recent","value":["first"]}
      {"field":"selected","value":null}
      {"emptyTable":"others"}
      {"field":"dates","value":{}}
      {"field":"ratio","value":0.5}
      """#
    #expect(try text(.ndjson).dropFirst(2).joined(separator: "\n") == lines)
    #expect(try text(.xml).contains("\t<key>mode</key>"))
    #expect(try text(.xml).contains("\t<string>edit</string>"))
  }

  private static func json(_ members: String) -> [UInt8] {
    Array("{\"snapshot\":{\"schema\":\"workspace\",\"version\":1}\(members.isEmpty ? "" : ",")\(members)}".utf8)
  }

  @Test func whatAFileLacksIsAsInTheEmptyModel() throws {
    let none = try Self.decoded(Self.json(""))
    #expect(none.isStoredLike(Workspace()))
    let some = try Self.decoded(Self.json(#""theme":{"name":"dark","margins":{"left":3,"right":4}},"recent":[]"#))
    #expect(some.theme == Workspace.Theme(name: "dark", accent: nil, size: 14, margins: .init(left: 3, right: 4)))
    #expect(some.recent == [] && some.mode == .edit)
  }

  @Test func whatIsWrongIsRefusedWithItsPlace() {
    each(
      [
        (#""theme":{"name":1,"size":1,"margins":{"left":3,"right":4}}"#, SnapshotError.Code.invalidValue, "theme.name"),
        (#""theme":{"name":"a","size":1}"#, .missingKey, "theme"),
        (#""mode":"fly""#, .invalidValue, "mode"), (#""recent":[1]"#, .invalidValue, "recent[0]"),
        (#""recent":{}"#, .invalidValue, "recent"), (#""items":{}"#, .invalidValue, "items"),
        (#""selected":"1""#, .invalidValue, "selected"), (#""other":1"#, .unknownKey, nil),
        (#""theme":{"name":"a","size":1,"margins":{"left":3,"right":4},"x":1}"#, .unknownKey, "theme"),
        (#""mode":"edit","mode":"read""#, .duplicate, nil),
      ] as [(String, SnapshotError.Code, String?)]
    ) { (members: String, code: SnapshotError.Code, place: String?) throws in
      let error = #expect(throws: SnapshotError.self) { try Self.decoded(Self.json(members)) }
      #expect(error?.code == code, "\(members): \(error.map { "\($0)" } ?? "")")
      if let place { #expect(error?.dataPath == place, "\(error.map { "\($0)" } ?? "")") }
      #expect(error?.position != nil)
    }
  }

  @Test func linesOfOneValueOccurOnce() throws {
    let header = #"{"snapshot":{"schema":"workspace","version":1}}"#
    let line = #"{"field":"mode","value":"read"}"#
    #expect(try Self.decoded(Array("\(header)\n\(line)\n".utf8)).mode == .read)
    for lines in [[line, line], [#"{"field":"items","value":{}}"#], [#"{"field":"mode"}"#]] {
      #expect(throws: SnapshotError.self) {
        try Self.decoded(Array(([header] + lines).joined(separator: "\n").utf8))
      }
    }
  }

  @Test func aSummaryNamesThem() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let summary = try SnapshotSummary(of: SnapshotFile.encode(Workspace(), as: format))
      #expect(summary.values == ["theme", "mode", "recent", "selected", "dates", "ratio"])
      #expect(summary.tables.map(\.name) == ["items", "others"])
    }
  }

  // MARK: Unknown content

  /// Fewer fields than a workspace, and fewer keys of the theme.
  struct Smaller: Model {
    struct Theme: Codable, Equatable, Sendable {
      var name = ""
      var margins = Workspace.Margins()
    }
    var theme = Theme()
    var items = Table<Counter>()
    static let schema = Schema<Smaller>(
      "workspace", version: 1,
      Field("theme", \.theme),
      Field("items", \.items))
  }

  @Test func unknownValuesAndKeysAreKept() {
    each(FileFormat.allCases, SeededGenerator.seeds(2)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      var workspace = try Workspace.random(&generator)
      workspace.theme.accent = "red"
      let test = StoreUnderTest()
      test.bytes = try SnapshotFile.encode(workspace, as: format)
      let store = try test.open(Smaller.self, .manual)
      let unknown = try #require(store.openReport?.unknownKeys.map(\.description))
      for name in ["theme.accent", "theme.size", "the value mode", "the value ratio"] {
        #expect(unknown.contains(name), "\(unknown)")
      }
      try store.write { $0.theme.name = "other" }
      try store.closeAndWait()
      workspace.theme.name = "other"
      #expect(try Self.decoded(try #require(test.bytes)).isStoredLike(workspace))
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  // MARK: Salvage

  /// A file with another text between two marks.
  private static func damaged(_ text: String, _ from: String, _ to: String) -> [UInt8] {
    Array(text.replacingOccurrences(of: from, with: to).utf8)
  }

  @Test(arguments: [FileFormat.json, .ndjson, .xml]) func aDamagedValueIsReportedAndTheRestIsKept(_ format: FileFormat)
    throws
  {
    var generator = SeededGenerator(seed: 1)
    var workspace = try Workspace.random(&generator)
    workspace.theme.name = "broken"
    workspace.recent = ["a", "b"]
    workspace.ratio = 0.25
    let text = String(decoding: try SnapshotFile.encode(workspace, as: format), as: UTF8.self)
    for (from, to) in [("broken", "bro\u{1}ken"), ("broken\"", "broken"), ("broken<", "broken<<")]
    where text.contains(from) {
      let salvaged = try Salvaged<Workspace>(of: Self.damaged(text, from, to))
      var expected = workspace
      expected.theme = Workspace.Theme()
      #expect(salvaged.value.isStoredLike(expected), "\(from): \(salvaged.losses)")
      #expect(salvaged.losses.contains { $0.kind == .value && $0.table == "theme" }, "\(salvaged.losses)")
    }
    // A value of the wrong type.
    let wrong = text.replacingOccurrences(of: "0.25", with: format == .xml ? "x" : "\"x\"")
    let salvaged = try Salvaged<Workspace>(of: Array(wrong.utf8))
    #expect(salvaged.value.ratio == 0.5 && salvaged.value.theme == workspace.theme)
    #expect(salvaged.losses.contains { $0.kind == .value && $0.table == "ratio" })
  }

  @Test func damageElsewhereLeavesThem() {
    each(FileFormat.allCases, SeededGenerator.seeds(3)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      var workspace = try Workspace.random(&generator)
      workspace.theme.name = "whole"
      let bytes = try SnapshotFile.encode(workspace, as: format)
      let whole = try Salvaged<Workspace>(of: bytes)
      #expect(whole.isComplete && whole.value.isStoredLike(workspace))
      // Nothing is invented and nothing traps, whichever byte is changed.
      for _ in 0..<40 {
        var damaged = bytes
        damaged[Int.random(in: 0..<bytes.count, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
        guard let salvaged = try? Salvaged<Workspace>(of: damaged) else { continue }
        #expect(!salvaged.isComplete)
        #expect(salvaged.value.allViolations() == [])
      }
    }
  }

  /// A record may have a property of that name, too.
  private struct Titled: Model {
    struct Item: Record {
      var title = ""
      var id = 0
    }
    var title = "none"
    var items = Table<Item>()
    static let schema = Schema<Titled>("titled", version: 1, Field("title", \.title), Field("items", \.items))
  }

  @Test func noPropertyOfARecordIsTakenForAValue() {
    each([FileFormat.json, .ndjson, .xml, .binary], SeededGenerator.seeds(2)) {
      (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      var titled = Titled()
      titled.title = "value"
      titled.items = try Table((0..<4).map { Titled.Item(title: "record \($0)", id: $0) })
      let bytes = try SnapshotFile.encode(titled, as: format)
      for _ in 0..<60 {
        // Without a beginning or without an end. A hole can join two texts to one, and nothing shows that.
        let cuts = [
          Int.random(in: 0..<bytes.count, using: &generator), Int.random(in: 0..<bytes.count, using: &generator),
        ]
        let (start, end) = (cuts.min()!, cuts.max()!)
        for rest in [bytes[start...], bytes[..<end]] {
          guard let salvaged = try? Salvaged<Titled>(of: Array(rest)) else { continue }
          #expect(!salvaged.value.title.hasPrefix("record"), "seed \(seed): \(start)..<\(end)")
          #expect(salvaged.value.allViolations() == [])
        }
      }
    }
  }

  /// Of two values with one name the readable one is used, and the other is reported.
  @Test func ofSeveralTheReadableOneIsKept() throws {
    let text =
      #"{"snapshot":{"schema":"titled","version":1}}"# + "\n" + #"{"field":"title","value":7}"# + "\n"
      + #"{"field":"title","value":"good"}"# + "\n" + #"{"field":"title","value":"late"}"#
    let salvaged = try Salvaged<Titled>(of: Array(text.utf8))
    #expect(salvaged.value.title == "good")
    #expect(
      salvaged.losses.filter { $0.kind == .value && $0.table == "title" }.map(\.code) == [.invalidValue, .duplicate])
  }

  @Test func aRecordThatIsLostTakesNoValueWithIt() throws {
    var workspace = Workspace()
    for id in 0..<5 { try workspace.items.insert(Counter(id: id, value: id)) }
    workspace.theme.name = "kept"
    workspace.mode = .read
    workspace.recent = ["x", "y"]
    let text = String(decoding: try SnapshotFile.encode(workspace, as: .json), as: UTF8.self)
    let salvaged = try Salvaged<Workspace>(of: Self.damaged(text, #"{"id":4,"value":4}"#, #"{"id":4,"val"#))
    workspace.items.remove(4)
    #expect(salvaged.value.isStoredLike(workspace), "\(salvaged.losses)")
  }
}
