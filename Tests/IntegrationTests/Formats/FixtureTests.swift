import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// This library wrote the stores in `fixtures/v1`, and every later version of it must open them.
///
/// `SNAPSHOT_WRITE_FIXTURES=1 swift test --filter FixtureTests` writes them anew. That is right only while version 1 of
/// the format has not been released.
@Suite(.serialized) struct FixtureTests {
  static let isWriting = ProcessInfo.processInfo.environment["SNAPSHOT_WRITE_FIXTURES"] == "1"
  static let files = Fixture.all.flatMap { fixture in fixture.formats.map { (fixture, $0) } }

  @Test(.enabled(if: isWriting), arguments: files)
  func write(fixture: Fixture, format: FileFormat) throws {
    let url = fixture.url(format)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let bytes = try SnapshotFile.encode(try fixture.make(), as: format)
    try SnapshotFile.write(bytes, to: url)
    // Saved files are for their owner alone; these are for everyone.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
  }

  @Test func opensAndIsWrittenAsItStands() {
    each(Self.files) { (fixture: Fixture, format: FileFormat) throws in
      let url = fixture.url(format)
      let bytes = try SnapshotFile.readBytes(at: url)
      let summary = try SnapshotSummary(of: bytes)
      #expect(summary.format == format)
      #expect(summary.checksum == .ok)
      let notebook = try SnapshotFile.read(Notebook.self, at: url)
      #expect(notebook.allViolations() == [])
      #expect(try SnapshotFile.encode(notebook, as: format) == bytes)
      for other in Proofs.share(of: FileFormat.allCases, oneIn: 4) {
        let there = try SnapshotFile.encode(notebook, as: other)
        let back = try SnapshotFile.decode(Notebook.self, from: there)
        #expect(try SnapshotFile.encode(back, as: format) == bytes, "by way of \(other)")
      }
    }
  }

  /// The value in every file is, bit by bit, the one in the program.
  @Test func holdsWhatWasMeant() {
    each(Self.files) { (fixture: Fixture, format: FileFormat) throws in
      let notebook = try SnapshotFile.read(Notebook.self, at: fixture.url(format))
      expectExactly(notebook.allRecords, try fixture.make().allRecords)
    }
  }

  @Test func awkwardHasEverythingThatItIsFor() throws {
    let notebook = try SnapshotFile.read(Notebook.self, at: Fixture.all[1].url(.json))
    #expect(notebook.notes.ids.first == 0 && notebook.notes.ids.last == .max)
    #expect(notebook.notes.contains(1000) && notebook.notes.contains(1 << 53 - 1))
    #expect(notebook.notes[0]?.text == "")
    #expect(notebook.notes[1003]?.text.unicodeScalars.count == 160)
    #expect(notebook.deletedNotes.count == 4)
    #expect(notebook.tags["$null"] != nil && notebook.tags["a\0b"] != nil)
    #expect(notebook.tags["été à paris"]?.name == "ÉTÉ à Paris")
  }

  @Test func theReadmeNamesEveryFile() throws {
    let readme = try String(contentsOf: Fixture.directory.appending(path: "README.md"), encoding: .utf8)
    for folder in ["v1", "corrupt"] {
      let path = Fixture.directory.appending(path: folder).path
      for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        #expect(readme.contains("`\(name)`"), "\(folder)/\(name)")
      }
    }
  }
}
