public import SnapshotFoundation
public import SnapshotStore

/// Compares a store with a fixture, record for record and bit for bit, and fails with a readable difference.
///
/// ```swift
/// @Test func importsTheTutorial() throws {
///   let store = Store(Notebook(sources: .fixed()))
///   try importTutorial(into: store)
///   try verify(store, matches: fixtures.appending(path: "tutorial.json"))
/// }
/// ```
///
/// It throws, and so works in Swift Testing and XCTest alike. A fixture is a file as stores save it; keep it in git
/// beside the tests. Dates and ids must be the same each time: see `NotebookSources.fixed`.
///
/// - Parameters:
///   - store: the tested store.
///   - fixture: the file with the expected content.
///   - record: whether to write the fixture and its folders instead. The test then fails too, as a reminder to remove
///     this argument again. The environment variable `SNAPSHOT_RECORD_FIXTURES=1` does the same for all tests of a run.
/// - Throws: ``FixtureFailure``; `SnapshotError` if the fixture cannot be read or written.
public func verify<Root: Model>(_ store: Store<Root>, matches fixture: URL, record: Bool = false) throws {
  try verify(store.snapshot().value, matches: fixture, record: record)
}

/// The same for a value without a store.
public func verify<Root: Model>(_ value: Root, matches fixture: URL, record: Bool = false) throws {
  try FixtureRecording(isOn: record || FixtureRecording.isAskedFor()).verify(value, matches: fixture)
}

/// Compares values with fixtures, or records them.
struct FixtureRecording {
  /// The environment variable that asks for recording.
  static let variable = "SNAPSHOT_RECORD_FIXTURES"

  static func isAskedFor(in environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    environment[variable] == "1"
  }

  let isOn: Bool

  func verify<Root: Model>(_ value: Root, matches fixture: URL) throws {
    if isOn { throw try record(value, at: fixture) }
    let expected: Root
    do {
      expected = try SnapshotFile.read(at: fixture)
    } catch let error as SnapshotError where error.code == .fileNotFound {
      throw FixtureFailure(reason: .missing, fixture: fixture)
    }
    let difference = try ModelDifference(from: expected, to: value)
    if !difference.isEmpty { throw FixtureFailure(reason: .differs(difference), fixture: fixture) }
  }

  /// Writes the format of the file's extension, or JSON.
  private func record<Root: Model>(_ value: Root, at fixture: URL) throws -> FixtureFailure {
    let old: Root? = try? SnapshotFile.read(at: fixture)
    let format = FileFormat(fileName: fixture.lastPathComponent) ?? .json
    try FileManager.default.createDirectory(
      at: fixture.deletingLastPathComponent(), withIntermediateDirectories: true)
    try SnapshotFile.write(SnapshotFile.encode(value, as: format), to: fixture)
    let difference = try old.map { try ModelDifference(from: $0, to: value) }
    return FixtureFailure(reason: .recorded(difference), fixture: fixture)
  }
}
