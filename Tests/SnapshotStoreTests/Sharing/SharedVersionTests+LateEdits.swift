import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// An editor saves late what it has read early. Meanwhile a peer has saved what another program does not know.
extension SharedVersionTests {
  private typealias Store = SnapshotStore.Store

  /// The file as it was, with another title.
  private func save(_ early: [UInt8], title: String, _ change: (inout Wider) throws -> Void = { _ in }) throws {
    var edited: Wider = try SnapshotFile.decode(from: early)
    try edited.books.update(1) { $0.title = title }
    try change(&edited)
    test.fileSystem[test.path] = try SnapshotFile.encode(edited, as: .json)
  }

  private func opened() throws -> (old: Store<Old>, wide: Store<Wider>) {
    let wide = try open(Wider.self, .beside())
    try wide.write { value in
      try value.books.insert(Wider.Book(id: 1, title: "Emma", pages: 474))
      try value.loans.insert(Counter(id: 7, value: 1))
      try value.loans.insert(Counter(id: 8, value: 1))
    }
    try wide.flushAndWait(folding: true)
    return (try open(Old.self, .beside()), wide)
  }

  private var conflicts: [MergeConflict] {
    reports.withLock { reports in
      reports.flatMap { report -> [MergeConflict] in
        if case .merged(let outcome, _) = report { outcome.conflicts } else { [] }
      }
    }
  }

  /// The versions have the same known records. So these say nothing of the version that the editor has read.
  @Test func whatAPeerSavedInUnknownContentStaysBesideALateEdit() throws {
    let (old, wide) = try opened()
    let early = try #require(test.fileSystem[test.path])
    try wide.write { value in
      try value.books.update(1) { $0.pages = 500 }
      try value.loans.update(7) { $0.value = 2 }
      value.loans.remove(8)
      try value.loans.insert(Counter(id: 9, value: 1))
    }
    try wide.flushAndWait(folding: true)
    old.checkFileAndWait()
    try save(early, title: "Emma!")
    old.checkFileAndWait()
    try old.flushAndWait(folding: true)
    wide.checkFileAndWait()
    #expect(wide.read { $0.books[1]?.title } == "Emma!")
    #expect(wide.read { $0.books[1]?.pages } == 500)
    #expect(wide.read { $0.loans[7]?.value } == 2)
    #expect(wide.read { $0.loans[9] != nil })
    // What the peer has removed is back, because the editor may have put it there.
    #expect(Set(conflicts.map(\.table)) == ["books", "loans"])
    #expect(Set(conflicts.map(\.id)) == ["1", "7", "8", "9"])
    try old.closeAndWait()
    try wide.closeAndWait()
  }

  /// An edit after an edit of the same: nobody else has changed it.
  @Test func theSecondEditOfUnknownContentCounts() throws {
    let (old, wide) = try opened()
    for pages in 500...502 {
      try save(try #require(test.fileSystem[test.path]), title: "Emma") { edited in
        try edited.loans.update(7) { $0.value = pages }
      }
      old.checkFileAndWait()
      try old.flushAndWait(folding: pages == 501)
    }
    wide.checkFileAndWait()
    #expect(wide.read { $0.loans[7]?.value } == 502)
    #expect(conflicts == [])
    try old.closeAndWait()
    try wide.closeAndWait()
  }

  /// Before it, the editor has removed a record that the program knows.
  @Test func anEditOfUnknownContentBehindARemovalCounts() throws {
    let (old, wide) = try opened()
    try wide.write { try $0.books.insert(Wider.Book(id: 2, title: "Persuasion")) }
    try wide.flushAndWait(folding: true)
    old.checkFileAndWait()
    for value in 2...3 {
      try save(try #require(test.fileSystem[test.path]), title: "Emma") { edited in
        edited.books.remove(2)
        if value == 3 { try edited.loans.update(7) { $0.value = value } }
      }
      old.checkFileAndWait()
    }
    try old.flushAndWait(folding: true)
    wide.checkFileAndWait()
    #expect(wide.read { $0.loans[7]?.value } == 3)
    #expect(conflicts.filter { $0.table == "loans" } == [])
    try old.closeAndWait()
    try wide.closeAndWait()
  }

  /// An editor that has read the version before is told of what stays.
  @Test(arguments: [ExternalChange.Policy.merge, .reload])
  func anOlderVersionThatIsKnownForSureIsTold(_ policy: ExternalChange.Policy) throws {
    let (other, wide) = try opened()
    try other.closeAndWait()
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside(), externalChanges: policy)
    options.log = { _ in }
    options.onExternalChange = { [self] change in reports.withLock { $0.append(change) } }
    let old = try test.open(Old.self, options)
    var early: [UInt8] = []
    for value in [0x1234_5678, 0x2345_6789] {
      early = try #require(test.fileSystem[test.path])
      try wide.write { try $0.loans.update(7) { $0.value = value } }
      try wide.flushAndWait(folding: true)
      old.checkFileAndWait()
    }
    reports.withLock { $0 = [] }
    try save(early, title: "Emma!")
    old.checkFileAndWait()
    let kept = reports.withLock { reports in
      reports.contains { if case .reloaded(let kept) = $0 { kept != nil } else { false } }
    }
    #expect(policy == .reload ? kept : conflicts.contains { $0.table == "loans" }, "\(reports.withLock { $0 })")
    try old.closeAndWait()
    try wide.closeAndWait()
  }

  /// Long texts and large numbers say which version the editor has read.
  @Test func unmistakableUnknownContentSaysWhatAnEditorHasRead() throws {
    let (old, wide) = try opened()
    for value in [0x1234_5678, 0x2345_6789] {
      try wide.write { try $0.loans.update(7) { $0.value = value } }
      try wide.write { value in if value.loans[8] != nil { value.loans.remove(8) } }
      try wide.flushAndWait(folding: true)
      old.checkFileAndWait()
    }
    try save(try #require(test.fileSystem[test.path]), title: "Emma!") { edited in
      try edited.loans.insert(Counter(id: 9, value: 3))
    }
    old.checkFileAndWait()
    try old.flushAndWait(folding: true)
    wide.checkFileAndWait()
    #expect(wide.read { $0.loans.map(\.id) } == [7, 9])
    #expect(conflicts == [])
    try old.closeAndWait()
    try wide.closeAndWait()
  }
}
