// As in a user's test: without what only the library sees, and without the notebook.
import SnapshotStore
import Testing

extension Tag {
  /// A tag of tests, and not of notes.
  @Tag static var ofTheKernel: Self
}

/// The kernel has no `Tag`, `Note` or `Attachment`, so a user's tests and models have these names for themselves.
struct NamesOfTestingTests {
  /// A model of the user with names that the notebook has too.
  private struct Note: Record {
    let id: Int
    var text = ""
  }

  private struct Notes: Model {
    var notes = Table<Note>()
    static let schema = Schema<Notes>("notes", version: 1, Field("notes", \.notes))
  }

  @Test(.tags(.ofTheKernel)) func namesOfTestingAreNotAmbiguous() throws {
    let tags: [Tag] = [.ofTheKernel]
    #expect(tags == [.ofTheKernel])
    Attachment.record("text", named: "note.txt")
    var notes = Notes()
    try notes.notes.insert(Note(id: 1))
    #expect(notes.notes[1]?.text == "" && notes.allViolations() == [])
  }
}
