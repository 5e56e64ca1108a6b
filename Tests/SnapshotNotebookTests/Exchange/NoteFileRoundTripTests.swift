import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A note that is written as a file of either format is read back byte by byte.
struct NoteFileRoundTripTests {
  @Test(arguments: NoteFolderFormat.allCases) func texts(format: NoteFolderFormat) {
    for text in NoteFile.texts { check(NoteFile.note(text), format) }
  }

  @Test(arguments: NoteFolderFormat.allCases) func tags(format: NoteFolderFormat) {
    for name in NoteFile.tagNames {
      var note = NoteFile.note("Text")
      note.tagNames = [name]
      check(note, format)
      note.tagNames = ["before", name, "after"]
      check(note, format)
    }
    var note = NoteFile.note("Text")
    note.tagNames = NoteFile.tagNames
    check(note, format)
  }

  @Test(arguments: NoteFolderFormat.allCases) func attachments(format: NoteFolderFormat) {
    for attachment in NoteFile.attachments {
      var note = NoteFile.note("Text")
      note.attachments = [attachment]
      check(note, format)
    }
    var note = NoteFile.note("Text")
    note.attachments = NoteFile.attachments
    check(note, format)
  }

  @Test(arguments: NoteFolderFormat.allCases) func dates(format: NoteFolderFormat) {
    for date in NoteFile.dates {
      for keyPath in [\ForeignNote.creationDate, \.sortDate, \.modificationDate] {
        var note = NoteFile.note("Text")
        note[keyPath: keyPath] = date
        check(note, format)
      }
    }
  }

  /// A line of ten megabytes, alone and after the beginning of a block.
  @Test(arguments: NoteFolderFormat.allCases) func longLines(format: NoteFolderFormat) {
    let line = String(repeating: "0123456789", count: Proofs.pick(full: 1_000_000, quick: 100_000))
    for text in [line, "---\na: " + line, "Text\n\nTags: " + line] { check(NoteFile.note(text), format) }
  }

  @Test func random() {
    each(SeededGenerator.seeds(20)) { (seed: UInt64) in
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<150 {
        let note = NoteFile.random(using: &generator)
        for format in NoteFolderFormat.allCases { check(note, format, "seed \(seed)") }
      }
    }
  }

  /// Also when it is written again: the note read is the note written.
  private func check(_ note: ForeignNote, _ format: NoteFolderFormat, _ comment: String = "") {
    let bytes = TextFile.bytes(of: format.text(of: note))
    let path = note.archived == true ? "Archived Notes/some name.txt" : "Active Notes/some name.txt"
    guard let text = TextFile.text(of: bytes) else {
      Issue.record("not text: \(note.text.debugDescription.prefix(200))")
      return
    }
    let back = format.note(in: text, at: path)
    if back.bits == note.bits { return }
    Issue.record("\(format) \(comment) \(String(decoding: bytes.prefix(600), as: UTF8.self).debugDescription)")
  }
}
