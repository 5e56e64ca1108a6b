import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A hole of zeros in a good file costs the records in it, and no others.
struct SalvageHoleTests {
  @Test func holes() {
    each(FileFormat.allCases, [1, 300]) { (format: FileFormat, size: Int) throws in
      var notebook = Notebook.empty()
      let texts = (100..<130).map { "This is the note of the number \($0), and it says nothing more." }
      for text in texts { try notebook.addNote(text: text) }
      let bytes = try encoded(notebook, format)
      let places = try texts.map { text in try #require(bytes.firstRange(of: Array(text.utf8))).lowerBound }
      let notes = Array(notebook.notes)
      // Later records of a binary list share objects of the first ones.
      for start in Proofs.share(of: Array(stride(from: places[10], to: places[25], by: 379)), oneIn: 3) {
        var damaged = bytes
        for index in start..<start + size { damaged[index] = 0 }
        // In a binary list many bytes are zero already.
        if damaged == bytes { continue }
        let salvaged = try Salvaged<Notebook>(of: damaged)
        #expect(salvaged.checksum == .mismatch)
        for (index, note) in notes.enumerated() where 1..<notes.count - 1 ~= index {
          if places[index - 1] < start + size, start < places[index + 1] { continue }
          #expect(salvaged.value.notes[note.id] == note, "\(format), \(start): \(salvaged.losses.map(\.description))")
        }
      }
    }
  }
}
