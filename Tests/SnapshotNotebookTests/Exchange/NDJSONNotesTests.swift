import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Notes as newline-delimited JSON, in and out.
struct NDJSONNotesTests {
  private func read(_ text: String, path: String? = nil) throws -> ForeignContent {
    try ForeignContent(ndjson: Array(text.utf8), path: path)
  }

  @Test func whatIsWritten() throws {
    var notebook = Notebook.empty()
    try notebook.importContent(
      try read(
        """
        {"id":7,"text":"A \\"text\\"\\n","created":"2020-01-01T00:00:00.25Z","tags":["New York","Paris"],\
        "attachments":[{"id":"p","mimeType":"image/png","height":2}]}
        {"id":8,"text":"","archived":true,"textModificationDate":"2020-01-02T00:00:00Z","sort":"2020-01-03T00:00:00Z"}
        """))
    let expected = """
      {"id":7,"text":"A \\"text\\"\\n","archived":false,"creationDate":"2020-01-01T00:00:00.25Z",\
      "sortDate":"2020-01-01T00:00:00.25Z","modificationDate":"2020-01-01T00:00:00.25Z","tags":["New York","Paris"],\
      "attachments":[{"id":"p","mimeType":"image/png","height":2,"width":0}]}
      {"id":8,"text":"","archived":true,"creationDate":"2020-01-03T00:00:00Z","sortDate":"2020-01-03T00:00:00Z",\
      "modificationDate":"2020-01-02T00:00:00Z","textModificationDate":"2020-01-02T00:00:00Z","tags":[],"attachments":[]}\n
      """
    #expect(String(decoding: notebook.ndjson(), as: UTF8.self) == expected)
    #expect(Notebook.empty().ndjson().isEmpty)
    #expect(notebook.allViolations() == [])
  }

  @Test func linesOfOtherPrograms() throws {
    let content = try read(
      "\u{FEFF}{\"title\":1,\"text\":\"a\",\"tags\":null}\r\n\n  {\"color\":{\"text\":2},\"text\":\"b\",\"title\":\"\"}",
      path: "other.ndjson")
    #expect(content.notes.map(\.text) == ["a", "b"])
    #expect(content.notes.map(\.place) == ["other.ndjson:1", "other.ndjson:3"])
    #expect(content.notes.allSatisfy { $0.id == nil && !$0.givesTags && !$0.givesAttachments })
    #expect(content.remarks == ["the keys “title”, “color” are unknown, and were ignored"])
    #expect(try read("").notes.isEmpty)
  }

  static let wrong: [(line: String, code: SnapshotError.Code, dataPath: String?)] = [
    ("{}", .missingKey, nil), ("{\"text\":null}", .missingKey, nil), ("{\"text\":1}", .invalidValue, "text"),
    ("[]", .invalidValue, nil), ("\"a\"", .invalidValue, nil), ("{\"text\":\"a\"", .malformed, nil),
    ("{\"text\":\"a\"} {\"text\":\"b\"}", .malformed, nil), ("{\"text\":\n\"a\"}", .malformed, nil),
    ("{\"text\":\"a\",\"id\":-1}", .invalidValue, "id"), ("{\"text\":\"a\",\"id\":\"1\"}", .invalidValue, "id"),
    ("{\"text\":\"a\",\"archived\":\"yes\"}", .invalidValue, "archived"),
    ("{\"text\":\"a\",\"tags\":\"b\"}", .invalidValue, "tags"),
    ("{\"text\":\"a\",\"tags\":[\"b\",\" \"]}", .invalidValue, "tags[1]"),
    ("{\"text\":\"a\",\"attachments\":[{\"id\":\"p\"}]}", .invalidValue, "attachments[0]"),
    ("{\"text\":\"a\",\"attachments\":[3]}", .invalidValue, "attachments[0]"),
    (
      "{\"text\":\"a\",\"attachments\":[{\"id\":\"p\",\"mimeType\":\"a/b\",\"width\":-1}]}", .invalidValue,
      "attachments[0].width"
    ),
    ("{\"text\":\"a\",\"text\":\"b\"}", .duplicate, nil),
    ("{\"snapshot\":{\"schema\":\"notebook\"}}", .wrongSchema, nil),
    ("{\"table\":\"notes\",\"record\":{}}", .wrongSchema, nil),
  ]

  @Test func errorsNameTheLine() {
    each(Self.wrong) { (line: String, code: SnapshotError.Code, dataPath: String?) throws in
      let error = #expect(throws: SnapshotError.self) { try read("{\"text\":\"sound\"}\n\(line)\n", path: "n") }
      #expect(error?.code == code)
      #expect(error?.dataPath == dataPath)
      #expect(error?.path == "n")
      #expect([2, 3].contains(error?.position?.line))
    }
  }

  @Test func theLimitsAreKept() throws {
    let file = Array("{\"text\":\"a\"}\n{\"text\":\"b\"}\n".utf8)
    expectRefusal(.tooLarge) { _ = try ForeignContent(ndjson: file, limits: ReadLimits(fileSize: file.count - 1)) }
    expectRefusal(.limitExceeded) { _ = try ForeignContent(ndjson: file, limits: ReadLimits(elementCount: 1)) }
    expectRefusal(.limitExceeded) { _ = try ForeignContent(ndjson: file, limits: ReadLimits(textSize: 0)) }
    let deep = "{\"text\":\"a\",\"x\":\(String(repeating: "[", count: 100_000))"
    expectRefusal(.limitExceeded) { _ = try ForeignContent(ndjson: Array(deep.utf8)) }
    #expect(
      try ForeignContent(ndjson: file, limits: ReadLimits(fileSize: file.count, elementCount: 2)).notes.count == 2)
  }

  @Test func everythingThatIsWrittenComesBack() {
    each(SeededGenerator.seeds(40)) { (seed: UInt64) throws in
      var awkward = AwkwardNotebooks(random: SeededGenerator(seed: seed))
      let notebook = try awkward.notebook()
      let bytes = notebook.ndjson()
      let content = try ForeignContent(ndjson: bytes)
      #expect(content.remarks == [])
      var copy = Notebook.empty()
      #expect(try copy.importContent(content).addedNotes == notebook.notes.count)
      #expect(copy.ndjson() == bytes)
      #expect(copy.notes == notebook.notes)
      #expect(copy.allViolations() == [])
      var same = notebook
      #expect(try same.importContent(content).unchangedNotes == notebook.notes.count)
      #expect(same.hasSameTables(as: notebook))
      // Every line is a single line to every tool.
      #expect(String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).count == notebook.notes.count)
    }
  }
}
