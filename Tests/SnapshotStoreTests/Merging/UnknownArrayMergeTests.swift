import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Arrays that the schema does not know: records with ids are merged one by one, and any other array as a whole.
@Suite struct UnknownArrayMergeTests {
  private typealias Content = SnapshotContent<Counters>

  private static func content(_ array: String?) throws -> Content {
    let more = array.map { #","list":"# + $0 } ?? ""
    return try SnapshotFile.decodeContent(
      Counters.self, from: Array(#"{"snapshot":{"schema":"counters","version":1}\#(more)}"#.utf8))
  }

  private static func list(_ content: Content) throws -> String? {
    let text = String(decoding: try SnapshotFile.encode(content, as: .json), as: UTF8.self)
    guard let start = text.range(of: #""list":"#) else { return nil }
    return text[start.upperBound...].dropLast(2).filter { $0 != "\n" }
  }

  private static let songs = #"[{"id":3,"t":"c"},{"id":1,"t":"a"},{"id":2,"t":"b"}]"#

  @Test func anyOtherArrayIsOneValue() {
    each([
      // An id twice, and none at all.
      (#"[{"id":1},{"id":1}]"#, #"[{"id":1},{"id":1},{"id":2}]"#, #"[{"id":1}]"#), (#"["a"]"#, #"["b"]"#, #"["c"]"#),
      (#"[]"#, #"["b"]"#, #"["c"]"#),
    ]) { (base: String, ours: String, theirs: String) throws in
      let (base, mine, other) = (try Self.content(base), try Self.content(ours), try Self.content(theirs))
      let merge = Content.merging(base: base, ours: mine, theirs: other)
      #expect(merge.conflicts == [MergeConflict(table: "list", id: "", resolution: .tookOurs)])
      #expect(try Self.list(merge.content) == ours)
      let opposite = Content.merging(base: base, ours: mine, theirs: other, policy: .theirs)
      #expect(try Self.list(opposite.content) == theirs)
      // A change by one side alone is taken.
      let alone = Content.merging(base: base, ours: base, theirs: other)
      #expect(try alone.conflicts.isEmpty && Self.list(alone.content) == theirs)
    }
  }

  @Test func aTableIsMergedByRecord() throws {
    let base = #"[{"id":1},{"id":2},{"id":4}]"#
    let merge = Content.merging(
      base: try Self.content(base), ours: try Self.content(#"[{"id":1,"x":1},{"id":2},{"id":4}]"#),
      theirs: try Self.content(#"[{"id":1},{"id":3},{"id":4}]"#))
    #expect(merge.conflicts == [])
    #expect(try Self.list(merge.content) == #"[{"id":1,"x":1},{"id":3},{"id":4}]"#)
  }

  /// Records have ids in any order, as a playlist or a table of a program with its own order of ids.
  @Test func recordsInAnyOrderAreMergedByTheirIDs() {
    each([
      // Both changed a song of a list with an order of its own.
      (
        Self.songs, Self.songs.replacing(#""c""#, with: #""ours""#), Self.songs.replacing(#""b""#, with: #""their""#),
        #"[{"id":3,"t":"ours"},{"id":1,"t":"a"},{"id":2,"t":"their"}]"#, nil
      ),
      // Ours moved one, theirs appended.
      (
        #"[{"id":1},{"id":2},{"id":3}]"#, #"[{"id":2},{"id":3},{"id":1}]"#,
        #"[{"id":1},{"id":2},{"id":3},{"id":4}]"#, #"[{"id":2},{"id":3},{"id":4},{"id":1}]"#, nil
      ),
      // Only theirs is in another order.
      (
        #"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":2,"x":1}]"#, #"[{"id":2},{"id":1}]"#, #"[{"id":2,"x":1},{"id":1}]"#,
        nil
      ),
      // Both are, and differ.
      (
        Self.ids(1, 2, 3), Self.ids(2, 1, 3), Self.ids(1, 3, 2, 4), Self.ids(2, 4, 1, 3),
        MergeConflict(table: "list", id: "", properties: ["order"], resolution: .tookOurs)
      ),
      // Both moved the same one.
      (Self.ids(1, 2, 3), Self.ids(3, 1, 2), Self.ids(3, 1, 2, 5), Self.ids(3, 1, 2, 5), nil),
      // Both added records at one place: they are in the order of their ids.
      (Self.ids(1, 9), Self.ids(1, 3, 7, 9), Self.ids(0, 1, 2, 4, 8, 9, 12), Self.ids(0, 1, 2, 3, 4, 7, 8, 9, 12), nil),
      (Self.ids(), Self.ids(2, 5), Self.ids(1, 3), Self.ids(1, 2, 3, 5), nil),
      // The order of the ids is that of their type: `a2` is before `a10` there.
      (
        #"[{"id":"a2"},{"id":"a10"},{"id":"b"}]"#, #"[{"id":"a2","x":1},{"id":"a10"},{"id":"b"}]"#,
        #"[{"id":"a2"},{"id":"a3"},{"id":"a10","y":2},{"id":"b"}]"#,
        #"[{"id":"a2","x":1},{"id":"a3"},{"id":"a10","y":2},{"id":"b"}]"#, nil
      ),
      // Decomposed accents: Swift has them behind “z”, and their bytes are before it.
      (
        #"[{"id":"a"},{"id":"z"},{"id":"é"}]"#, #"[{"id":"a"},{"id":"z","x":1},{"id":"é"}]"#,
        #"[{"id":"a"},{"id":"z"},{"id":"é","y":1}]"#, #"[{"id":"a"},{"id":"z","x":1},{"id":"é","y":1}]"#, nil
      ),
      // One moved only what the other one removed, and the other moved the rest.
      (Self.ids(1, 2, 3), Self.ids(3, 1), Self.ids(2, 1, 3), Self.ids(3, 1), nil),
      (
        Self.ids(43, 27, 7, 5, 42), Self.ids(27, 43, 7, 5, 42, 102), Self.ids(43, 5, 7, 42),
        Self.ids(43, 5, 7, 42, 102), nil
      ),
      // Without a base nothing tells who moved.
      (
        "[]", Self.ids(5, 6), Self.ids(6, 5), Self.ids(5, 6),
        MergeConflict(table: "list", id: "", properties: ["order"], resolution: .tookOurs)
      ),
      // One removed, the other moved and added.
      (Self.ids(1, 2, 3), Self.ids(1, 3), Self.ids(3, 2, 1, 4), Self.ids(3, 1, 4), nil),
    ]) { (base: String, ours: String, theirs: String, expected: String, conflict: MergeConflict?) throws in
      let (base, mine, other) = (try Self.content(base), try Self.content(ours), try Self.content(theirs))
      let merge = Content.merging(base: base, ours: mine, theirs: other)
      #expect(merge.conflicts == [conflict].compactMap { $0 })
      #expect(try Self.list(merge.content) == expected)
      let opposite = Content.merging(base: base, ours: other, theirs: mine, policy: .theirs)
      #expect(try Self.list(opposite.content) == expected)
      let alone = Content.merging(base: base, ours: base, theirs: other)
      #expect(try alone.conflicts.isEmpty && Self.list(alone.content) == theirs)
    }
  }

  /// The policy `base` takes the order of the base too, and a resolver is told of it.
  @Test func theOrderOfTheBase() throws {
    let (base, ours) = (try Self.content(Self.ids(1, 2, 3)), try Self.content(Self.ids(2, 1, 3, 7)))
    let theirs = try Self.content(Self.ids(5, 3, 1, 2))
    let merge = Content.merging(base: base, ours: ours, theirs: theirs, policy: .base)
    #expect(merge.conflicts == [MergeConflict(table: "list", id: "", properties: ["order"], resolution: .tookBase)])
    #expect(try Self.list(merge.content) == Self.ids(5, 1, 2, 3, 7))
    let resolved = Content.merging(
      base: base, ours: ours, theirs: theirs,
      policy: .resolve { conflict in
        conflict.table == "list" && conflict.properties == ["order"] ? .theirs : .ours
      })
    #expect(try Self.list(resolved.content) == Self.ids(5, 3, 7, 1, 2))
  }

  private static func ids(_ ids: Int...) -> String { "[" + ids.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]" }

  /// A difference names the records that differ, in any order, and the places if only the order differs.
  @Test func differencesInAnyOrder() throws {
    func places(_ old: String, _ new: String) throws -> [String] {
      try ModelDifference(from: Self.content(old), to: Self.content(new)).records.map { "\($0.change) \($0.id)" }
    }
    #expect(try places(Self.songs, Self.songs.replacing(#""b""#, with: #""B""#)) == ["updated 2"])
    #expect(try places(Self.ids(3, 1, 2), Self.ids(4, 2, 3)) == ["removed 1", "inserted 4"])
    #expect(try places(Self.ids(1, 2, 3), Self.ids(1, 3, 2)) == ["updated "])
    #expect(try places(Self.ids(1, 2), Self.ids(1, 2)) == [])
  }

  /// Without a base, the result has everything that is in either.
  @Test(arguments: [("[]", #"["a"]"#), (songs, "[]")])
  func anEmptyArrayIsFilled(_ ours: String, _ theirs: String) throws {
    var content = try Self.content(ours)
    #expect(content.mergeUnknown(from: try Self.content(theirs)) == [])
    #expect(try Self.list(content) == (ours == "[]" ? theirs : ours))
  }

  /// One rule for all content that one side removed as a whole and the other changed.
  @Test func whatOneSideRemovedAndTheOtherChangedStays() {
    each([
      (#"["a"]"#, #"["a","b"]"#), (#"{"k":1}"#, #"{"k":2}"#), ("1", "2"),
      (Self.songs, Self.songs.replacing("a", with: "z")),
      (#"[{"id":1},{"id":2}]"#, #"[{"id":1,"x":1},{"id":2}]"#), ("[]", #"["a"]"#),
    ]) { (base: String, changed: String) throws in
      let (base, gone, new) = (try Self.content(base), try Self.content(nil), try Self.content(changed))
      let theirs = Content.merging(base: base, ours: gone, theirs: new)
      #expect(try Self.list(theirs.content) == changed)
      #expect(theirs.conflicts == [MergeConflict(table: "list", id: "", resolution: .keptTheirChange)])
      let ours = Content.merging(base: base, ours: new, theirs: gone)
      #expect(try Self.list(ours.content) == changed)
      #expect(ours.conflicts == [MergeConflict(table: "list", id: "", resolution: .keptOurChange)])
      #expect(try Self.list(Content.merging(base: base, ours: base, theirs: gone).content) == nil)
    }
  }

  /// Each side has added the value. Nothing that either says of it is lost.
  @Test func aValueThatBothAddedIsMergedByItsKeys() throws {
    let merge = Content.merging(
      base: try Self.content(nil), ours: try Self.content(#"{"a":1}"#), theirs: try Self.content(#"{"b":2}"#))
    #expect(merge.conflicts == [])
    #expect(try Self.list(merge.content) == #"{"a":1,"b":2}"#)
  }
}
