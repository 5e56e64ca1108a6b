import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Tags in the texts of Markdown files, as Obsidian and Bear have them.
struct InlineTagsTests {
  @Test func names() {
    each([
      ("#travel/italy and #long tag#.", ["travel/italy", "long tag"]), ("# Heading\n## #tag", ["tag"]),
      ("#a #A #b", ["a", "b"]), ("#123 #1a #_ #- #/", ["1a"]), ("x#no (#no) /#no &#35; [x](#no)", []),
      ("#one and #two", ["one", "two"]), ("#word# #x", ["word", "x"]), ("#Zoë, #日本。", ["Zoë", "日本"]),
      ("`#no` #yes ``#no ` #no`` `#open", ["yes"]), ("```\n#no\n```\n#yes", ["yes"]),
      ("~~~~ c\n#no\n~~~\n#no\n~~~~~\n#yes", ["yes"]), ("```\n#no", []), ("x ```#no `` #yes", ["yes"]),
      ("```#x``` #yes", ["yes"]),
      ("---\ntags: [x] #no\n---\n#yes", ["yes"]), ("", []), ("#", []), ("##", []), ("#tag##", ["tag"]),
      ("a\t#tab\n\u{A0}#space\r\n#line", ["tab", "space", "line"]), ("#not long tag #", ["not"]),
      ("#a b#c", ["a"]), ("#a, b#", ["a"]),
    ]) { (text: String, names: [String]) in #expect(InlineTags.names(in: text) == names) }
  }

  @Test func longTextsTakeLinearTime() {
    for text in [
      String(repeating: "#", count: 200_000), String(repeating: "`", count: 100_000) + "#a",
      String(repeating: "` #a ``", count: 20_000), "x" + String(repeating: "`", count: 100_000),
      (1...800).map { String(repeating: "`", count: $0) }.joined(separator: " "),
      String(repeating: "#a ", count: 50_000),
    ] {
      let start = ContinuousClock.now
      _ = InlineTags.names(in: text)
      #expect(ContinuousClock.now - start < .seconds(5))
    }
  }

  @Test func aNotebookGetsThem() throws {
    var content = ForeignContent(notes: [
      ForeignNote(text: "Packed the bags. #travel/italy #long tag#", place: ""),
      ForeignNote(id: 7, text: "#own", place: ""),
      ForeignNote(text: "none", place: ""), ForeignNote(text: "#Paris", tagNames: ["paris", "x"], place: ""),
    ])
    #expect(content.takeInlineTags() == 2)
    var notebook = Notebook.empty()
    try notebook.importContent(content)
    #expect(
      notebook.notes.map(\.tags).sorted { $0.count < $1.count } == [
        [], [], ["travel/italy", "long tag"], ["paris", "x"],
      ])
    #expect(notebook.notes.contains { $0.text == "Packed the bags. #travel/italy #long tag#" })
  }
}
