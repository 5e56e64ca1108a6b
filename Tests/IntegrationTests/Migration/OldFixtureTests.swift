import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Every file in `fixtures/v*` opens for ever. Those of notebooks are directly in it. Those of the library of these
/// tests, which has had more versions, are in `library`.
///
/// `SNAPSHOT_WRITE_FIXTURES=1 swift test --filter OldFixtureTests` writes the missing ones of the library. None is ever
/// changed.
@Suite(.serialized) struct OldFixtureTests {
  private static let versions =
    (try? FileManager.default.contentsOfDirectory(atPath: Fixture.directory.path))?
    .filter { $0.wholeMatch(of: /v[0-9]+/) != nil }.sorted() ?? []

  private static func files(in folder: String) -> [String] {
    let url = Fixture.directory.appending(path: folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { $0.contains(".") }.sorted().map { "\(folder)/\($0)" }
  }

  static let notebooks = versions.flatMap { files(in: $0) }
  static let libraries = versions.flatMap { files(in: "\($0)/library") }

  private static let seed: UInt64 = 20_261_122

  private static func file(version: Int, _ format: FileFormat) throws -> [UInt8] {
    let first = try Library.V1.random(seed: seed, count: 12)
    let second = try Library.V2(first)
    let third = try Library.V3(second)
    switch version {
    case 1: return try SnapshotFile.encode(first, as: format)
    case 2: return try SnapshotFile.encode(second, as: format)
    case 3: return try SnapshotFile.encode(third, as: format)
    default: return try SnapshotFile.encode(try Library.Today(third), as: format)
    }
  }

  @Test(.enabled(if: FixtureTests.isWriting)) func write() throws {
    for version in 1...4 {
      for format in FileFormat.allCases {
        let url = Fixture.directory.appending(path: "v\(version)/library/books.\(format.usualExtension)")
        if FileManager.default.fileExists(atPath: url.path) { continue }
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try SnapshotFile.create(try Self.file(version: version, format), at: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
      }
    }
  }

  @Test func thereIsOneOfEachVersionAndFormat() {
    #expect(Self.notebooks.count >= 9)
    #expect(Self.libraries.count >= 4 * FileFormat.allCases.count)
  }

  @Test func notebookOpens() {
    each(Self.notebooks) { (path: String) throws in
      let notebook = try SnapshotFile.read(Notebook.self, at: Fixture.directory.appending(path: path))
      #expect(notebook.allViolations() == [])
      #expect(notebook.notes.count > 0)
    }
  }

  @Test func libraryOpens() {
    each(Self.libraries) { (path: String) throws in
      let library = try SnapshotFile.read(Library.Today.self, at: Fixture.directory.appending(path: path))
      let expected = try SnapshotFile.decode(Library.Today.self, from: try Self.file(version: 4, .json))
      #expect(try SnapshotFile.encode(library, as: .json) == SnapshotFile.encode(expected, as: .json))
      #expect(library.allViolations() == [])
      #expect(library.volumes.count > 8)
    }
  }
}

extension FileFormat {
  /// The extension of fixtures.
  var usualExtension: String {
    switch self {
    case .json: "json"
    case .xml: "plist"
    case .binary: "bplist"
    case .ndjson: "ndjson"
    }
  }
}
