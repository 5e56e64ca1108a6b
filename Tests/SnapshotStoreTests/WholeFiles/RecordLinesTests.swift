import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Records read line by line.
@Suite struct RecordLinesTests {
  private let fileSystem = InMemoryFileSystem(directories: ["/dir"])
  private let url = URL(fileURLWithPath: "/dir/words.ndjson")

  private func read(_ text: String, limits: ReadLimits = ReadLimits()) async throws -> [Word] {
    fileSystem["/dir/words.ndjson"] = Array(text.utf8)
    var words: [Word] = []
    for try await word in RecordLines<Word>(at: url, limits: limits, fileSystem: fileSystem) { words.append(word) }
    #expect(fileSystem.openCount == 0)
    return words
  }

  private func failure(_ text: String, limits: ReadLimits = ReadLimits()) async throws -> SnapshotError {
    try #require(await #expect(throws: SnapshotError.self) { _ = try await read(text, limits: limits) })
  }

  @Test(arguments: ["\n", "\r\n", "\n\n \n"]) func records(separator: String) async throws {
    let lines = [#"{"id":"a","count":1}"#, #" {"count":2,"id":"b"} "#, #"{"id":"é","count":3}"#]
    let expected = [Word(id: "a"), Word(id: "b", count: 2), Word(id: "é", count: 3)]
    #expect(try await read(lines.joined(separator: separator)) == expected)
    #expect(try await read("\u{FEFF}" + lines.joined(separator: separator) + separator) == expected)
    #expect(try await read("") == [])
    #expect(try await read(separator) == [])
  }

  // Longer than one read.
  @Test func manyAndLongLines() async throws {
    let words = (0..<Proofs.pick(full: 20_000, quick: 2_000)).map {
      Word(id: String(repeating: "x", count: $0 % 1_000), count: $0)
    }
    let long = Word(id: String(repeating: "y", count: 1_000_000), count: 1)
    let lines = try (words + [long] + words).map { try SnapshotFile.json(of: $0) }
    #expect(try await read(lines.joined(separator: "\n")) == words + [long] + words)
  }

  @Test func errorsHaveTheirPlace() async throws {
    let first = #"{"id":"a","count":1}"# + "\n"
    let wrong = try await failure(first + "\n" + #"{"id":"b","count":"two"}"#)
    #expect(wrong.code == .invalidValue)
    #expect(wrong.path == "/dir/words.ndjson")
    #expect(wrong.dataPath == "record.count")
    #expect(wrong.position == SnapshotError.Position(offset: 40, line: 3, column: 19))
    #expect(try await failure(first + #"{"id":"b","count":1,"more":1}"#).code == .unknownKey)
    #expect(try await failure(first + "{").position?.line == 2)
    #expect(try await failure(first + first.dropLast() + first).code == .malformed)
    #expect(try await failure(first + "\u{FEFF}" + first).code == .malformed)
  }

  @Test func aPathIsNamedAsItIs() async throws {
    fileSystem["/dir/my words.ndjson"] = Array("{".utf8)
    let lines = RecordLines<Word>(
      at: URL(fileURLWithPath: "/dir/my words.ndjson"), limits: ReadLimits(), fileSystem: fileSystem)
    let error = await #expect(throws: SnapshotError.self) { for try await _ in lines {} }
    #expect(error?.path == "/dir/my words.ndjson")
  }

  @Test func notUTF8() async throws {
    fileSystem["/dir/words.ndjson"] = Array("\n".utf8) + [0xFF]
    var words = RecordLines<Word>(at: url, limits: ReadLimits(), fileSystem: fileSystem).makeAsyncIterator()
    await #expect(throws: SnapshotError.self) { _ = try await words.next() }
    #expect(try await words.next() == nil)
  }

  @Test func limits() async throws {
    let limits = ReadLimits(fileSize: 30)
    let line = #"{"id":"a","count":1}"# + "\n"
    #expect(try await read(String(repeating: line, count: 100), limits: limits).count == 100)
    let long = String(repeating: line, count: 100) + String(repeating: " ", count: 1_000_000)
    let error = try await failure(long, limits: limits)
    #expect(error.code == .limitExceeded)
    #expect(error.position?.line == 101)
  }

  @Test func noFile() async throws {
    var words = RecordLines<Word>(at: url, limits: ReadLimits(), fileSystem: fileSystem).makeAsyncIterator()
    let error = await #expect(throws: SnapshotError.self) { _ = try await words.next() }
    #expect(error?.code == .fileNotFound)
    var folder = RecordLines<Word>(at: URL(filePath: "/tmp")).makeAsyncIterator()
    await #expect(throws: SnapshotError.self) { _ = try await folder.next() }
  }

  @Test func intoAStore() async throws {
    fileSystem["/dir/words.ndjson"] = Array(#"{"id":"a","count":1}"#.utf8)
    let store = Store<Directory>()
    try await store.importRecords(
      RecordLines<Word>(at: url, limits: ReadLimits(), fileSystem: fileSystem), into: \.words)
    #expect(store.read { $0.words.map(\.id) } == ["a"])
  }

  @Test func aTextWithABrokenCharacter() async throws {
    fileSystem["/dir/words.ndjson"] = Array("\n{\"id\":\"b".utf8) + [0xC3] + Array("\",\"count\":1}\n".utf8)
    var words = RecordLines<Word>(at: url, limits: ReadLimits(), fileSystem: fileSystem).makeAsyncIterator()
    let error = await #expect(throws: SnapshotError.self) { _ = try await words.next() }
    #expect(error?.code == .malformed)
    #expect(error?.position == SnapshotError.Position(offset: 9, line: 2, column: 9))
  }
}
