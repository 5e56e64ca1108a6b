import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The vectors are what the article “The file formats” promises to readers in other languages.
///
/// `Scripts/check-vectors` holds the same files against a reader that shares no code with the library.
/// `SNAPSHOT_WRITE_FIXTURES=1 swift test --filter VectorTests` writes files that are missing.
@Suite struct VectorTests {
  private static let files: [(Vector, FileFormat)] = {
    let vectors = (try? VectorIndex.load().vectors) ?? []
    return vectors.flatMap { vector in FileFormat.allCases.map { (vector, $0) } }
  }()

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SNAPSHOT_WRITE_FIXTURES"] == "1"))
  func write() throws {
    for (vector, format) in Self.files {
      let url = try vector.url(format)
      if FileManager.default.fileExists(atPath: url.path) { continue }
      try Data(try SnapshotFile.encode(vector.content(), as: format)).write(to: url)
    }
  }

  @Test func theIndexIsComplete() throws {
    let index = try VectorIndex.load()
    let names = try FileManager.default.subpathsOfDirectory(atPath: VectorIndex.folder.path).filter { $0.contains(".") }
    let listed = index.vectors.flatMap { $0.files.values.map(\.file) } + index.foreign.map(\.file) + ["index.json"]
    #expect(names.sorted() == listed.sorted())
    #expect(Self.files.count == 4 * index.vectors.count && index.vectors.count >= 10)
  }

  /// Every file has the checksum and the value of the index, bit by bit.
  @Test func aFileIsReadAsTheIndexSays() {
    each(Self.files) { (vector: Vector, format: FileFormat) throws in
      let bytes = try SnapshotFile.readBytes(at: vector.url(format))
      let file = try #require(vector.files[format.rawValue])
      #expect(bytes.count == file.bytes)
      let prefix = format.prefix(checksum: file.checksum)
      #expect(bytes.starts(with: prefix))
      #expect(Checksum.cksum(bytes[prefix.count...]) == file.checksum)
      Self.expectSame(try SnapshotFile.decodeContent(UntypedModel.self, from: bytes), vector.content())
    }
  }

  /// A value has one sequence of bytes in each format.
  @Test func theValueIsWrittenAsTheFileStands() {
    each(Self.files) { (vector: Vector, format: FileFormat) throws in
      let bytes = try SnapshotFile.readBytes(at: vector.url(format))
      #expect(try SnapshotFile.encode(vector.content(), as: format) == bytes)
    }
  }

  @Test func filesOfOtherProgramsAreReadToo() throws {
    let index = try VectorIndex.load()
    for foreign in index.foreign {
      let vector = try #require(index.vectors.first { $0.name == foreign.sameAs })
      let bytes = try SnapshotFile.readBytes(at: VectorIndex.folder.appending(path: foreign.file))
      Self.expectSame(try SnapshotFile.decodeContent(UntypedModel.self, from: bytes), vector.content(), foreign.file)
    }
  }

  /// A reader without types refuses the damaged files, except for those whose damage only the types show.
  @Test func theListOfDamageThatNeedsTypesIsRight() throws {
    let folder = VectorIndex.fixtures.appending(path: "corrupt")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "expected.json" }
    let readable = try names.filter { name in
      let bytes = try SnapshotFile.readBytes(at: folder.appending(path: name))
      return (try? SnapshotFile.decodeContent(UntypedModel.self, from: bytes)) != nil
    }
    #expect(readable.sorted() == (try VectorIndex.load().readableWithoutTypes).sorted())
  }

  private static func expectSame(
    _ found: SnapshotContent<UntypedModel>, _ expected: SnapshotContent<UntypedModel>, _ file: String = ""
  ) {
    #expect(found.schemaName == expected.schemaName, "\(file)")
    #expect(found.schemaVersion == expected.schemaVersion, "\(file)")
    #expect(found.names.map { ExactText($0) } == expected.names.map { ExactText($0) }, "\(file)")
    #expect(found.tables.map(\.name) == expected.tables.map(\.name), "\(file)")
    for table in expected.tables {
      let same = found[table: table.name]
      #expect(same?.statedIDKey == table.statedIDKey, "\(file)")
      #expect(Item.areSame(Item(.array(same?.items ?? [])), Item(.array(table.items))), "\(file): \(table.name)")
    }
    for (name, value) in expected.values {
      #expect(Item.areSame(found[value: name]?.item, value.item), "\(file): \(name)")
    }
  }
}
