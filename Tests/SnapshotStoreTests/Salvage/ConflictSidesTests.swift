import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Files with the conflict markers of git: the whole records of both sides.
struct ConflictSidesTests {
  private func salvage(_ text: String) throws -> Salvaged<UntypedModel> {
    let salvaged = try Salvaged<UntypedModel>(of: Array(text.utf8))
    #expect(!salvaged.isComplete)
    // The result is a file in which no id occurs twice.
    let bytes = try SnapshotFile.encode(salvaged.content, as: .json)
    #expect(try Salvaged<UntypedModel>(of: bytes).isComplete)
    return salvaged
  }

  private func json(_ salvaged: Salvaged<UntypedModel>, _ table: String) -> [String] {
    salvaged.content[table: table]?.items.map { String(decoding: $0.jsonBytes, as: UTF8.self) } ?? []
  }

  /// As git leaves a file of this library: the checksum differs too, and the tables end in different records.
  @Test func aMergeOfGit() throws {
    let salvaged = try salvage(
      """
      <<<<<<< HEAD
      {"snapshot":{"checksum":1,
      =======
      {"snapshot":{"checksum":2,
      >>>>>>> other
      "schema":"t","version":1},
      "p":[
      {"id":1,"n":"a"},
      <<<<<<< HEAD
      {"id":2,"n":"ours"},
      {"id":3,"n":"new"}
      =======
      {"id":2,"n":"theirs"},
      {"id":4,"n":"newer"}
      >>>>>>> other
      ],
      <<<<<<< HEAD
      "n":1,
      =======
      "n":2,
      >>>>>>> other
      "q":[
      {"id":"x"}
      ]}
      """)
    #expect(salvaged.content.schemaName == "t")
    #expect(
      json(salvaged, "p") == [
        #"{"id":1,"n":"a"}"#, #"{"id":2,"n":"ours"}"#, #"{"id":3,"n":"new"}"#, #"{"id":4,"n":"newer"}"#,
      ])
    #expect(json(salvaged, "q") == [#"{"id":"x"}"#])
    let rest = String(decoding: salvaged.unusedBytes, as: UTF8.self)
    #expect(rest.contains(#"{"id":2,"n":"theirs"}"#) && rest.contains("\"n\":2") && !rest.contains("newer"))
  }

  /// A side that ends a table and begins another.
  @Test func namesWithinAConflict() throws {
    let salvaged = try salvage(
      """
      {"snapshot":{"schema":"t","version":1},
      "p":[
      {"id":1},
      <<<<<<< HEAD
      {"id":2}
      ],
      "q":[
      {"id":20}
      ||||||| base
      {"id":9,"n":"base"}
      =======
      {"id":3}
      ],
      "q":[
      {"id":30}
      >>>>>>> other
      ]}
      """)
    #expect(json(salvaged, "p") == [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#])
    #expect(json(salvaged, "q") == [#"{"id":20}"#, #"{"id":30}"#])
    #expect(String(decoding: salvaged.unusedBytes, as: UTF8.self) == "{\"id\":9,\"n\":\"base\"}\n")
  }

  /// The record begins before the conflict, in both sides at one place.
  @Test func aConflictInsideARecord() throws {
    let salvaged = try salvage(
      """
      {"snapshot":{"schema":"t","version":1},
      "p":[
      {"id":1,"n":"a",
      <<<<<<< HEAD
      "o":"ours"},
      =======
      "o":"theirs"},
      >>>>>>> other
      {"id":2}
      ]}
      """)
    #expect(json(salvaged, "p") == [#"{"id":1,"n":"a","o":"ours"}"#, #"{"id":2}"#])
    #expect(String(decoding: salvaged.unusedBytes, as: UTF8.self).contains("theirs"))
  }

  /// Records without ids that both sides have added.
  @Test func bothHaveAddedOne() throws {
    let salvaged = try salvage(
      """
      {"snapshot":{"schema":"t","version":1},
      "p":[
      <<<<<<< HEAD
      {"n":"a"},
      {"n":"b"}
      =======
      {"n":"a"},
      {"n":"c"}
      >>>>>>> other
      ]}
      """)
    #expect(json(salvaged, "p") == [#"{"n":"a"}"#, #"{"n":"b"}"#, #"{"n":"c"}"#])
  }

  /// Two tables may have equal records.
  @Test func eachHasAddedItToAnotherTable() throws {
    let salvaged = try salvage(
      """
      {"snapshot":{"schema":"t","version":1},
      "p":[
      <<<<<<< HEAD
      {"id":1}
      ],
      "q":[
      =======
      ],
      "q":[
      {"id":1}
      >>>>>>> other
      ]}
      """)
    #expect(json(salvaged, "p") == [#"{"id":1}"#] && json(salvaged, "q") == [#"{"id":1}"#])
  }

  @Test func aWholeFileBehindAPartOfIt() throws {
    let head = "{\"snapshot\":{\"schema\":\"t\",\"version\":1},\n\"p\":[\n{\"id\":1},\n"
    let salvaged = try salvage(head + head + "{\"id\":2}\n],\n\"q\":[\n{\"id\":3}\n]}\n")
    #expect(json(salvaged, "p").count == 2 && json(salvaged, "q").count == 1)
  }

  /// A marker without the others is a damaged line.
  @Test(arguments: ["<<<<<<< HEAD", "=======", ">>>>>>> other", "<<<<<<<<"]) func aLoneMarker(_ marker: String) throws {
    #expect(ConflictSides(Array("a\n\(marker)\nb\n".utf8)) == nil)
    let salvaged = try salvage(
      "{\"snapshot\":{\"schema\":\"t\",\"version\":1},\n\"p\":[\n\(marker)\n{\"id\":1},\n{\"id\":2}\n]}\n")
    #expect(json(salvaged, "p").count == 2)
  }
}
