import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Files that cannot be imported: the error names the place, and nothing of the file is imported.
struct VesperErrorTests {
  /// The second of two notes has a wrong member. The first is valid, with tags and a picture.
  private static func sync(_ member: String) -> String {
    """
    {"tags": [{"name": "Listed"}], "notes": [
      {"noteID": 1, "text": "Sound", "tags": "Paris", "attachments": "\(Vesper.base64(Vesper.pictures))"},
      {\(member)}
    ]}
    """
  }

  static let badMembers: [(member: String, dataPath: String)] = [
    (#""text": "no id""#, "notes[1].noteID"),
    (#""noteID": -2"#, "notes[1].noteID"),
    (#""noteID": "2""#, "notes[1].noteID"),
    (#""noteID": 2.5"#, "notes[1].noteID"),
    (#""noteID": 9223372036854775808"#, "notes[1].noteID"),
    (#""noteID": 2, "text": 3"#, "notes[1].text"),
    (#""noteID": 2, "archived": "yes""#, "notes[1].archived"),
    (#""noteID": 2, "archived": 2"#, "notes[1].archived"),
    (#""noteID": 2, "tags": ["Paris"]"#, "notes[1].tags"),
    (#""noteID": 2, "attachments": "not base64""#, "notes[1].attachments"),
    (#""noteID": 2, "attachments": []"#, "notes[1].attachments"),
  ]

  @Test func theErrorNamesThePlace() {
    each(Self.badMembers) { (member: String, dataPath: String) throws in
      let error = try expectNothingTaken(Self.sync(member))
      #expect(error.code == .invalidValue)
      #expect(error.dataPath == dataPath)
      #expect(error.position?.line == 3)
    }
  }

  static let badAttachments: [(json: String, dataPath: String)] = [
    (#"{"uniqueID": "p"}"#, "notes[1].attachments"),
    (#"[7]"#, "notes[1].attachments[0]"),
    (#"[{"uniqueID": "p", "mimeType": "image/png"}, {"uniqueID": "q"}]"#, "notes[1].attachments[1]"),
    (#"[{"uniqueID": 5, "mimeType": "image/png"}]"#, "notes[1].attachments[0].uniqueID"),
    (#"[{"uniqueID": "p", "mimeType": "image/png", "height": -1}]"#, "notes[1].attachments[0].height"),
    (#"[{"uniqueID": "p", "mimeType": "image/png", "width": "wide"}]"#, "notes[1].attachments[0].width"),
    ("[", "notes[1].attachments"),
  ]

  /// A place within the encoded text has no meaning for the reader of the file; the place of the note has.
  @Test func errorsInAttachmentsNameTheNote() {
    each(Self.badAttachments) { (json: String, dataPath: String) throws in
      let file = Self.sync(#""noteID": 2, "attachments": "\#(Vesper.base64(json))""#)
      let error = try expectNothingTaken(file)
      #expect(error.code == .invalidValue)
      #expect(error.dataPath == dataPath)
      #expect(error.position?.line == 3)
    }
  }

  static let otherFiles: [(file: String, code: SnapshotError.Code, dataPath: String?)] = [
    (#"{"notes": [], "tags": [{"name": "Paris"}, {"name": 3}]}"#, .invalidValue, "tags[1].name"),
    (#"{"notes": [], "tags": ["Paris"]}"#, .invalidValue, "tags[0]"),
    (#"{"notes": {}}"#, .invalidValue, "notes"),
    (#"{"notes": [{"objectType": "x"}]}"#, .invalidValue, "notes[0].uniqueID"),
    (#"{"notes": [3]}"#, .invalidValue, "notes[0]"),
    (#"{"posts": []}"#, .invalidValue, nil),
    (#"[{"uniqueID": 1, "tags": ["Paris", 3]}]"#, .invalidValue, "[0].tags[1]"),
    (#"[{"uniqueID": 1, "tags": "Paris"}]"#, .invalidValue, "[0].tags"),
    (#"{"notes": [}"#, .malformed, nil),
    ("", .emptyFile, nil),
    ("hello", .unknownFormat, nil),
  ]

  @Test func otherFilesThatAreNotVespers() {
    each(Self.otherFiles) { (file: String, code: SnapshotError.Code, dataPath: String?) throws in
      let error = try expectNothingTaken(file)
      #expect(error.code == code)
      #expect(error.dataPath == dataPath)
    }
  }

  @Test func theLimitsAreKept() throws {
    var notebook = Notebook.empty()
    let file = Array(Vesper.sync.utf8)
    expectRefusal(.tooLarge) {
      _ = try notebook.importVesper(file, limits: ReadLimits(fileSize: file.count - 1))
    }
    let deep = #"{"notes": [], "x": \#(String(repeating: "[", count: 100_000))"#
    expectRefusal(.limitExceeded) { _ = try notebook.importVesper(Array(deep.utf8)) }
    #expect(notebook.notes.isEmpty)
    #expect(try notebook.importVesper(file, limits: ReadLimits(fileSize: file.count)).addedNotes == 2)
    #expect(notebook.allViolations() == [])
  }

  private func expectNothingTaken(
    _ file: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SnapshotError {
    var notebook = try Notebook.small()
    let before = notebook
    let error = #expect(throws: SnapshotError.self, sourceLocation: sourceLocation) {
      try notebook.importVesper(file)
    }
    #expect(notebook.hasSameTables(as: before), sourceLocation: sourceLocation)
    #expect(try notebook.addNote(text: "").id == 1002, "the ids go on as if there had been no import")
    #expect(notebook.allViolations() == [], sourceLocation: sourceLocation)
    return try #require(error, sourceLocation: sourceLocation)
  }
}
