import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Unknown content when another program changes the file of a store that merges.
@Suite(.timeLimit(.minutes(30))) struct UnknownExternalMergeTests {
  private static let base = #"""
    "pages":[{"id":1,"text":"as it was at first","note":"n","color":"red","size":1},
    {"id":2,"text":"the second page","note":"n","color":"blue"}],
    "kept":{"a":1},"note":"gone","zebra":[{"id":1,"x":1},{"id":2}]
    """#

  private let test = StoreUnderTest()

  private func open(_ policy: ExternalChange.Policy = .merge, _ members: String = base) throws -> Store<Pages> {
    write(members)
    var options = StoreOptions(policy: .manual)
    options.externalChanges = policy
    options.generations = Generation.Policy(count: 0)
    options.log = { _ in }
    return try test.open(Pages.self, options)
  }

  private func write(_ members: String) {
    test.bytes = Array(#"{"snapshot":{"schema":"pages","version":1},"#.utf8) + Array("\(members)}".utf8)
  }

  private var text: String { String(decoding: test.bytes ?? [], as: UTF8.self) }

  @Test(arguments: [ExternalChange.Policy.merge, .reload], [true, false])
  func whatTheOtherRemovesIsGone(_ policy: ExternalChange.Policy, _ hasOwnChange: Bool) async throws {
    let store = try open(policy)
    if hasOwnChange, policy == .merge {
      try store.write { try $0.pages.update(2) { $0.text = "changed by the store" } }
    }
    write(
      #"""
      "pages":[{"id":1,"text":"as it was at first","note":"n","size":2},
      {"id":2,"text":"the second page","note":"n","color":"blue"}],
      "kept":{"a":1},"zebra":[{"id":2}],"new":true
      """#)
    let change = await store.checkFile()
    if case .merged(let outcome, _)? = change { #expect(outcome.conflicts == []) }
    try store.write { try $0.pages.insert(Page(id: 3, text: "more", note: "")) }
    try await store.close()
    for gone in [#""color":"red""#, #""note":"gone""#, #"{"id":1,"x":1}"#] {
      #expect(!text.contains(gone), "\(gone): \(text)")
    }
    for kept in [#""size":2"#, #""color":"blue""#, #""kept":{"a":1}"#, #"{"id":2}"#, #""new":true"#] {
      #expect(text.contains(kept), "\(kept): \(text)")
    }
    #expect(text.contains("changed by the store") == (hasOwnChange && policy == .merge))
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aRecordThatOursRemovedStaysIfTheirsChangedAnUnknownKey() async throws {
    let store = try open()
    try store.write { $0.pages.remove(1) }
    write(Self.base.replacing(#""size":1"#, with: #""size":7"#))
    guard case .merged(let outcome, _)? = await store.checkFile() else { return #expect(Bool(false)) }
    let conflicts = outcome.conflicts
    #expect(conflicts == [MergeConflict(table: "pages", id: "1", resolution: .keptTheirChange)])
    try await store.close()
    #expect(text.contains(#""color":"red","size":7"#))
    #expect(store.snapshot().value.allViolations() == [])
  }

  /// Theirs was made from the version before; what it lacks came later, and nobody has removed it.
  @Test(arguments: [ExternalChange.Policy.merge, .reload])
  func whatAStaleWriterNeverReadStays(_ policy: ExternalChange.Policy) async throws {
    let older = #""pages":[{"id":1,"text":"as it was at first","note":"n"}]"#
    let store = try open(policy, older)
    let newer = #""pages":[{"id":1,"text":"changed by another program","note":"n","color":"red"}],"extra":{"x":1}"#
    write(newer)
    _ = await store.checkFile()
    write(older.replacing("]", with: #",{"id":2,"text":"added by a stale script","note":""}]"#))
    let change = await store.checkFile()
    if policy == .reload {
      guard case .reloaded(let kept?)? = change else { return #expect(Bool(false), "\(change as Any)") }
      let aside = String(decoding: test.fileSystem[kept] ?? [], as: UTF8.self)
      #expect(aside.contains(#""color":"red""#) && aside.contains(#""extra":{"x":1}"#))
      return try await store.close()
    }
    guard case .merged(let outcome, let kept?)? = change else { return #expect(Bool(false), "\(change as Any)") }
    let conflicts = outcome.conflicts
    #expect(
      conflicts == [
        MergeConflict(table: "pages", id: "1", resolution: .tookOursOverOlder),
        MergeConflict(table: "extra", id: "", resolution: .tookOursOverOlder),
      ])
    #expect(test.fileSystem[kept] != nil)
    try await store.close()
    for part in ["changed by another program", #""color":"red""#, #""extra":{"x":1}"#, "added by a stale script"] {
      #expect(text.contains(part), "\(part): \(text)")
    }
    #expect(store.snapshot().value.allViolations() == [])
  }

  /// The report names an unknown key that a stale writer never read, though the record is the same otherwise.
  @Test func anUnknownKeyThatAStaleWriterNeverReadIsNamed() async throws {
    let older = #""pages":[{"id":1,"text":"first","note":"n"},{"id":2,"text":"second","note":"n"}]"#
    let store = try open(.merge, older)
    write(#""pages":[{"id":1,"text":"first","note":"n","color":"red"},{"id":2,"text":"changed","note":"n"}]"#)
    _ = await store.checkFile()
    write(older.replacing("]", with: #",{"id":3,"text":"added by a stale script","note":""}]"#))
    guard case .merged(let outcome, _)? = await store.checkFile() else { return #expect(Bool(false)) }
    #expect(
      outcome.conflicts.last
        == MergeConflict(table: "pages", id: "1", properties: ["color"], resolution: .tookOurs))
    try await store.close()
    for part in ["changed", #""color":"red""#, "added by a stale script"] {
      #expect(text.contains(part), "\(part): \(text)")
    }
  }
}
