import Foundation
import Synchronization
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A notebook beside files that other programs have edited. What was wrong before refuses nothing.
struct NotebookSettlingTests {
  /// A note has a tag that does not exist, as a file from elsewhere may have it.
  private static func broken() throws -> Notebook {
    var notebook = try Notebook.small()
    try notebook.notes.update(1001) { $0.tags = ["gone"] }
    return notebook
  }

  @Test func aSharedFileThatWasWrongBefore() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("notes.json")
    try SnapshotFile.create(try Self.broken(), as: .json, at: url)
    let reports = SmallLock<[ExternalChange]>([])
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside())
    options.onExternalChange = { change in reports.withLock { $0.append(change) } }
    let (a, b) = (
      try Store<Notebook>.open(at: url, options: options), try Store<Notebook>.open(at: url, options: options)
    )
    try a.write { try $0.setText("Mine", of: 1001) }
    try b.write { try $0.setText("Theirs", of: 1000) }
    for store in [b, a] { try await store.flush() }
    _ = await b.checkFile()
    for store in [a, b] {
      #expect(store.read { $0.notes[1001]?.text == "Mine" && $0.notes[1000]?.text == "Theirs" })
      try await store.close()
    }
    #expect(reports.withLock { $0.allSatisfy { if case .rejected = $0 { false } else { true } } })
  }

  @Test func anUndoOfWhatWasWrongBefore() throws {
    let store = Store(try Self.broken())
    let history = UndoHistory(of: store, excluding: ["sync"])
    try store.write { _ = $0.deleteNotes([1001]) }
    try store.write(origin: "sync") { try $0.setText("Synced", of: 1000) }
    #expect(throws: Never.self) { try history.undo() }
    #expect(store.read { $0.notes.contains(1001) && !$0.deletedNotes.contains(1001) })
    try history.redo()
    #expect(store.read { !$0.notes.contains(1001) && $0.deletedNotes.contains(1001) })
  }

  /// Its checks are left to its functions in transactions only.
  @Test func aProgramWithoutTheTypesLeavesATombstone() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("notes.json")
    try SnapshotFile.create(try Notebook.small(), as: .json, at: url)
    let store = try Store<Notebook>.open(at: url, options: StoreOptions(policy: .manual, access: .shared))
    try store.write { try $0.setText("Mine", of: 1000) }
    try await store.flush()
    var theirs = store.read { $0 }
    theirs.notes.remove(1001)
    let untyped: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(
      from: SnapshotFile.encode(theirs, as: .json))
    try SnapshotFile.change(UntypedModel.self, at: url) { $0 = untyped }
    _ = await store.checkFile()
    #expect(store.read { !$0.notes.contains(1001) && $0.deletedNotes.contains(1001) })
    try await store.close()
  }

  /// A person has renamed a tag in an editor, and knows nothing of its id.
  @Test(arguments: [ExternalChange.Policy.merge, .reload]) func aTagThatWasRenamedInAnEditor(
    _ policy: ExternalChange.Policy
  ) async throws {
    let test = StoreUnderTest()
    test.bytes = try SnapshotFile.encode(try Notebook.small(), as: .json)
    var options = StoreOptions(policy: .manual)
    options.externalChanges = policy
    let store = try test.open(Notebook.self, options)
    if policy == .merge { try store.write { try $0.setText("Mine", of: 1001) } }
    let tagged = store.read { $0.notes(tagged: "paris").map(\.id) }
    var theirs = try test.stored(Notebook.self)
    try theirs.tags.update("paris") { $0.name = "Paris 2024" }
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    let change = await store.checkFile()
    guard case .merged(let outcome, _)? = change else {
      Issue.record("\(String(describing: change))")
      return
    }
    #expect(outcome.repaired.contains { $0.message.contains("renamed to “paris 2024”") })
    #expect(store.read { $0.notes(tagged: "paris 2024").map(\.id) } == tagged && !tagged.isEmpty)
    #expect(store.read { $0.allViolations() } == [])
    if policy == .merge { #expect(store.read { $0.notes[1001]?.text } == "Mine") }
    try? await store.close()
  }
}
