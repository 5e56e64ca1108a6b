import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Newline-delimited JSON, and its difference from a JSON document.
@Suite struct StrictNDJSONTests {
  private let header = "{\"snapshot\":{\"schema\":\"notebook\",\"version\":1}}\n"
  private let tag = "{\"table\":\"tags\",\"record\":{\"id\":\"a\",\"name\":\"a\"}}\n"

  @Test func linesInTheFormOfOtherToolsAreRead() throws {
    // Python's `json.dumps` puts a space after colons and commas; `jq -c` does not.
    let spaced = (header + tag).replacing(":", with: ": ").replacing(",", with: ", ")
    for text in [header + tag, spaced, header + "\n" + tag, (header + tag).replacing("\n", with: "\r\n"), header] {
      #expect(try read(text).tags.count == (text == header ? 0 : 1), "\(text)")
    }
    #expect(try read(String((header + tag).dropLast())).tags.count == 1)
    let reversed = "{\"record\":{\"name\":\"b\",\"id\":\"b\"},\"table\":\"tags\"}\n"
    #expect(try read(header + reversed).tags.count == 1)
  }

  /// `jq -c` and most programs write a document on one line. It is JSON, and its tables must not be lost.
  @Test(arguments: ["", "\n", "\r\n", "\n\n", " \n"])
  func aDocumentOnOneLineIsNotMistakenForAHeader(end: String) throws {
    let text = "{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"tags\":[{\"id\":\"a\",\"name\":\"a\"}]}"
    #expect(try read(text + end).tags.count == 1)
    #expect(try SnapshotSummary(of: Array((text + end).utf8)).tables.map(\.name) == ["tags"])
  }

  @Test(arguments: [
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"x\":1}\n", "x"),
    ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1}}\n{\"snapshot\":{},\"x\":1}\n", "x"),
  ])
  func nothingMayStandBesideTheHeader(text: String, key: String) {
    let error = #expect(throws: SnapshotError.self) { try read(text + tag) }
    #expect(error?.message.contains("“\(key)”") == true || error?.code == .malformed, "\(String(describing: error))")
  }

  @Test func aBadLineHasItsPlace() {
    each([
      ("{\"table\":\"tags\"}", "invalidValue"), ("{\"record\":{}}", "invalidValue"), ("{}", "invalidValue"),
      ("5", "invalidValue"), ("[]", "invalidValue"), ("{\"table\":5,\"record\":{}}", "invalidValue"),
      ("{\"table\":\"tags\",\"record\":{\"id\":\"b\",\"name\":\"b\"},\"x\":1}", "invalidValue"),
      ("{\"table\":\"folders\",\"record\":{}}", "unknownKey"), ("{\"table\":\"tags\",\"record\":5}", "invalidValue"),
      ("{\"table\":\"tags\",\"table\":\"tags\"}", "duplicate"),
      ("{\"table\":\"tags\",\"record\":{\"id\":", "malformed"),
      ("{\"snapshot\":{\"schema\":\"notebook\",\"version\":1}}", "invalidValue"), ("hello", "malformed"),
      ("{\"table\":\"tags\",\"record\":{\"id\":\"a\",\"name\":\"again\"}}", "duplicate"),
    ]) { (line: String, code: String) in
      let error = expectRefusal(of: header + tag + line, SnapshotError.Code(rawValue: code))
      #expect(error?.position?.line == 3)
    }
  }

  @Test func linesMustHoldOneObjectEach() {
    expectRefusal(of: header + tag.dropLast() + tag.replacing("a\"", with: "b\""), .malformed)
    expectRefusal(of: header + tag.replacing(",", with: ",\n"), .malformed)
  }

  /// Lines may be appended, or sorted.
  @Test func aTableMayBeTakenUpAgain() throws {
    let tombstone = "{\"table\":\"deletedNotes\",\"record\":{\"id\":1}}\n"
    let notebook = try read(header + tag + tombstone + tag.replacing("a\"", with: "b\""))
    #expect(notebook.tags.ids == ["a", "b"] && notebook.deletedNotes.ids == [1])
    let bad = header + tag + tombstone + tag.replacing("\"id\":\"a\"", with: "\"id\":5")
    expectRefusal(of: bad, .invalidValue, at: "tags[1].id")
  }

  @Test func theHeaderMustComeFirst() {
    expectRefusal(of: tag + header, .wrongSchema)
    expectRefusal(of: tag, .wrongSchema)
  }

  private func read(_ text: String) throws -> Notebook { try SnapshotFile.decode(from: Array(text.utf8)) }
}
