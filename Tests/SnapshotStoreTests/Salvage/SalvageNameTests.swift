import Testing

@testable import SnapshotStore
@testable import TestSupport

/// In every result of salvage a name is that of one table or of one value, so a store can open what it saves.
@Suite struct SalvageNameTests {
  struct Entry: Record {
    let id: Int
    var text = ""
  }

  struct Diary: Model {
    var entries = Table<Entry>()
    var recent: [String] = []
    var list: [Entry] = []
    static let schema = Schema<Diary>(
      "diary", version: 1,
      Field("entries", \.entries),
      Field("recent", \.recent),
      Field("list", \.list))
  }

  private static let header = #"{"snapshot":{"schema":"diary","version":1}}"#
  private static let damaged = #"{"table":"entries","record":{"id":5,"text":"y}}"#

  /// Salvages the lines of a file, and reads the file that a store would save then.
  private func salvage(_ lines: [String]) throws -> Salvaged<Diary> {
    try saved(try Salvaged<Diary>(of: Array(lines.joined(separator: "\n").utf8)))
  }

  private func saved(_ salvaged: Salvaged<Diary>) throws -> Salvaged<Diary> {
    for format in FileFormat.allCases {
      let bytes = try SnapshotFile.encode(salvaged.content, as: format)
      let again = try SnapshotFile.decodeContent(Diary.self, from: bytes)
      #expect(again.value.isStoredLike(salvaged.value))
      #expect(again.unknownKeys == salvaged.content.unknownKeys)
    }
    return salvaged
  }

  // MARK: Values of the schema

  @Test func linesOfElementsAreTheValue() throws {
    let salvaged = try salvage([
      Self.header, #"{"table":"recent","record":"a"}"#, Self.damaged, #"{"table":"recent","record":"b"}"#,
      #"{"field":"list","value":[]}"#,
    ])
    #expect(salvaged.value.recent == ["a", "b"])
    #expect(salvaged.losses.map(\.kind) == [.record], "\(salvaged.losses)")
    #expect(salvaged.content.unknownKeys == [])
  }

  @Test func aValueWithADamagedElementIsLost() throws {
    let salvaged = try salvage([
      Self.header, #"{"table":"recent","record":"a"}"#, #"{"table":"recent","record":"b}"#,
      #"{"field":"list","value":[]}"#,
      #"{"table":"entries","record":{"id":1,"text":"x"}}"#,
    ])
    #expect(salvaged.value.recent == [] && salvaged.value.entries.count == 1)
    #expect(salvaged.losses.map(\.kind) == [.value] && salvaged.losses.first?.table == "recent", "\(salvaged.losses)")
    #expect(salvaged.losses.first?.position?.line == 3)
  }

  @Test func theLineOfTheValueCountsMoreThanItsElements() throws {
    for isFirst in [true, false] {
      let field = #"{"field":"recent","value":["a","b","c"]}"#
      let salvaged = try salvage([
        Self.header, isFirst ? field : Self.damaged, #"{"table":"recent","record":"a"}"#,
        isFirst ? Self.damaged : field, #"{"field":"list","value":[]}"#,
      ])
      #expect(salvaged.value.recent == ["a", "b", "c"])
      #expect(Set(salvaged.losses.map(\.code)) == [.malformed, .duplicate], "\(salvaged.losses)")
    }
  }

  @Test func aValueBeforeTheHeaderIsNoTable() throws {
    let salvaged = try salvage([
      #"{"list":["#, #"{"id":7,"text":"L"}"#, "],", #""entries":["#, #"{"id":1,"text":"x"},"#, #"{"id":2,"text":"y}"#,
      "],", #""recent":["a"],"#, #""snapshot":{"schema":"diary","version":1}}"#,
    ])
    #expect(salvaged.content.unknownKeys == [] && salvaged.value.entries.ids.elementsEqual([1]))
    #expect(salvaged.value.recent == ["a"])
    #expect(salvaged.value.list == [Entry(id: 7, text: "L")] || salvaged.losses.contains { "\($0)".contains("list") })
  }

  /// The count of its members is one too small, so their names stand before the values of others.
  @Test func theListOfTheMembersOfABinaryList() throws {
    var diary = Diary()
    diary.recent = ["a"]
    try diary.entries.insert(Entry(id: 1, text: "x"))
    let bytes = try SnapshotFile.encode(diary, as: .binary)
    for index in bytes.indices where bytes[index] == 0xD4 {
      var damaged = bytes
      damaged[index] = 0xD3
      if let salvaged = try? Salvaged<Diary>(of: damaged) { _ = try saved(salvaged) }
    }
  }

  // MARK: Unknown names

  /// The first is kept; the other is listed as lost.
  @Test func anUnknownNameOfBoth() throws {
    let table = #"{"table":"things","record":{"id":"me"}}"#
    let field = #"{"field":"things","value":{"id":"me"}}"#
    let rest = [#"{"field":"recent","value":[]}"#, #"{"field":"list","value":[]}"#]
    for lines in [[table, field], [field, table], [field, table, field, table]] {
      let salvaged = try salvage([Self.header, #"{"table":"entries","record":{"id":1,"text":"x"}}"#] + lines + rest)
      #expect(salvaged.content.unknownKeys.map(\.isSingleValue) == [lines[0] == field])
      #expect(salvaged.losses.contains { $0.code == .duplicate && $0.table == "things" }, "\(salvaged.losses)")
    }
  }

  /// Only newline-delimited JSON can have a line with the name of the header. Its content could not be saved.
  @Test func theNameOfTheHeader() throws {
    let known = #"{"table":"entries","record":{"id":1,"text":"x"}}"#
    let lines = [
      #"{"table":"snapshot","record":{"id":1,"text":"lost"}}"#, #"{"table":"snapshot","record":{"other":2}}"#,
      #"{"table":"snapshot","record":3}"#, #"{"field":"snapshot","value":{"other":4}}"#,
      #"{"field":"snapshot","value":[5]}"#,
    ]
    for line in lines {
      for all in [[Self.header, line, known], [Self.header, known, line], [Self.header, line, known, Self.damaged]] {
        let salvaged = try salvage(all)
        #expect(salvaged.value.entries.ids.elementsEqual([1]) && salvaged.content.unknownKeys == [])
        #expect(salvaged.unusedBytes.firstRange(of: Array(line.utf8)) != nil, "\(salvaged.losses)")
      }
    }
  }

  // MARK: Encoding

  @Test func aNameIsWrittenOnce() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let table = UntypedTable(name: "recent", items: [Item(.string("a"))])
      let other = UntypedTable(name: "other", items: [Item(.string("a"))])
      let value = (name: "other", item: Item(.string("a")))
      for (tables, values) in [([table], []), ([other], [value]), ([], [(name: "entries", item: Item(.bool(true)))])] {
        var content = SnapshotContent(Diary())
        content.unknown.set(tables)
        content.unknown.set(values)
        let error = #expect(throws: SnapshotError.self) { try SnapshotFile.encode(content, as: format) }
        #expect(error?.code == .unencodable && error?.dataPath != nil)
      }
      var header = SnapshotContent(Diary())
      header.unknown.set([UntypedTable(name: "snapshot", items: [])])
      #expect(throws: SnapshotError.self) { try SnapshotFile.encode(header, as: format) }
    }
  }
}
