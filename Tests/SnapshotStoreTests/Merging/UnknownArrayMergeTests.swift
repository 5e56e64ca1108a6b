import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Arrays that the schema does not know: a table is merged by record, and any other array as a whole.
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
      // Both changed a song of a list with an order of its own.
      (
        Self.songs, #"[{"id":3,"t":"ours"},{"id":1,"t":"a"},{"id":2,"t":"b"}]"#,
        Self.songs.replacing(#""b""#, with: #""their""#)
      ),
      // Ours moved one, theirs appended.
      (
        #"[{"id":1},{"id":2},{"id":3}]"#, #"[{"id":2},{"id":3},{"id":1}]"#, #"[{"id":1},{"id":2},{"id":3},{"id":4}]"#
      ),
      // Only theirs is in another order.
      (#"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":2,"x":1}]"#, #"[{"id":2},{"id":1}]"#),
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
}
