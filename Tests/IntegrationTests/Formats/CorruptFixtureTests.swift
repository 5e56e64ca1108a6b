import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Every file in `fixtures/corrupt` is refused with the error in `expected.json`, and is not changed.
@Suite struct CorruptFixtureTests {
  struct Expectation: Decodable, Sendable, CustomTestStringConvertible {
    let file: String
    let code: String
    /// A part of the error's description, often with the place in it.
    let contains: String
    var testDescription: String { file }
  }

  static let directory = Fixture.directory.appending(path: "corrupt")

  /// Empty if the list cannot be read; `everyFileIsListed` then fails.
  static let expectations: [Expectation] = {
    guard let data = try? Data(contentsOf: directory.appending(path: "expected.json")) else { return [] }
    return (try? JSONDecoder().decode([Expectation].self, from: data)) ?? []
  }()

  @Test func isRefusedAndLeftAsItIs() {
    each(Proofs.share(of: Self.expectations, oneIn: 3)) { (expected: Expectation) throws in
      let url = Self.directory.appending(path: expected.file)
      let before = try Data(contentsOf: url)
      let error = #expect(throws: SnapshotError.self) { try SnapshotFile.read(Notebook.self, at: url) }
      #expect(error?.code.rawValue == expected.code)
      #expect(error?.description.contains(expected.contains) == true, "\(String(describing: error))")
      #expect(error?.path == url.path)
      #expect(error?.description.unicodeScalars.contains { $0.isUnsafeInMessage } == false)
      #expect(try Data(contentsOf: url) == before)
    }
  }

  /// No fixture without an expectation, and no remnants of reading: no lock, no temporary file.
  @Test func everyFileIsListed() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
    #expect(names.filter { $0 != "expected.json" }.sorted() == Self.expectations.map(\.file).sorted())
  }

  /// The script and its earlier output must agree.
  @Test(.enabled(if: Tool("python3") != nil))
  func theScriptWritesTheFilesThatAreThere() throws {
    let folder = try TemporaryFolder()
    let script = Fixture.directory.appending(path: "../Scripts/make-corrupt-fixtures.py").standardizedFileURL
    let result = try #require(try Tool("python3")?.run([script.path, folder.url("").path]))
    #expect(result.status == 0, "\(result.output)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url("").path)
    #expect(names.count > 40)
    for name in names {
      let there = try Data(contentsOf: Self.directory.appending(path: name))
      #expect(try Data(contentsOf: folder.url(name)) == there, "\(name)")
    }
  }
}
