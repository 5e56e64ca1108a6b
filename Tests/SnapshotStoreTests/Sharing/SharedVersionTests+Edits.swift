import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Another program edits the file of programs of different versions.
extension SharedVersionTests {
  /// A program edits the file, which has none of it, before the line is folded.
  @Test(arguments: [false, true]) func whatAProgramDoesNotKnowStaysBesideAnEdit(isRemoved: Bool) throws {
    let wide = try open(Wider.self, .beside())
    try wide.write { value in
      try value.books.insert(Wider.Book(id: 1, title: "Emma, annotated", pages: 474))
      if isRemoved { try value.loans.insert(Counter(id: 7, value: 1)) }
    }
    try wide.flushAndWait(folding: true)
    let old = try open(Old.self, .beside())
    try wide.write { value in
      if isRemoved { value.loans.remove(7) } else { try value.loans.insert(Counter(id: 7, value: 1)) }
    }
    try wide.flushAndWait()
    settle()
    old.checkFileAndWait()
    var edited: Wider = try SnapshotFile.decode(from: #require(test.fileSystem[test.path]))
    try edited.books.insert(Wider.Book(id: 2, title: "Persuasion, abridged"))
    test.fileSystem[test.path] = try SnapshotFile.encode(edited, as: .json)
    old.checkFileAndWait()
    #expect(old.read { $0.books.map(\.id) } == [1, 2])
    try old.flushAndWait(folding: true)
    settle()
    wide.checkFileAndWait()
    #expect(wide.read { $0.books.map(\.id) } == [1, 2])
    #expect(wide.read { $0.loans.map(\.id) } == (isRemoved ? [] : [7]))
    try old.closeAndWait()
    try wide.closeAndWait()
    #expect(try test.stored(Wider.self).loans.map(\.id) == (isRemoved ? [] : [7]))
  }

  /// The same for a store that has the file alone, and has read the line at its start.
  @Test(arguments: [false, true]) func whatAJournalHasStaysBesideAnEdit(isRemoved: Bool) throws {
    let wide = try test.open(Wider.self, StoreOptions.journaled())
    try wide.write { value in
      try value.books.insert(Wider.Book(id: 1, title: "Emma, annotated"))
      if isRemoved { try value.loans.insert(Counter(id: 7, value: 1)) }
    }
    try wide.flushAndWait(folding: true)
    let file = try #require(test.fileSystem[test.path])
    try wide.write { value in
      if isRemoved { value.loans.remove(7) } else { try value.loans.insert(Counter(id: 7, value: 1)) }
    }
    try wide.flushAndWait()
    let disk = test.fileSystem.copyOfFiles()
    try wide.closeAndWait()
    var options = StoreOptions.journaled()
    options.externalChanges = .merge
    let old = try Store<Old>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: ManualScheduler())
    var edited: Wider = try SnapshotFile.decode(from: file)
    try edited.books.insert(Wider.Book(id: 2, title: "Persuasion"))
    disk[test.path] = try SnapshotFile.encode(edited, as: .json)
    old.checkFileAndWait()
    #expect(old.read { $0.books.map(\.id) } == [1, 2])
    try old.closeAndWait()
    let stored = try SnapshotFile.decode(Wider.self, from: #require(disk[test.path]))
    #expect(stored.books.map(\.id) == [1, 2])
    #expect(stored.loans.map(\.id) == (isRemoved ? [] : [7]))
  }

  /// Short texts prove nothing, so two versions of the file may be the base. What a peer has removed is back, and told.
  @Test func aRemovalThatAProgramDoesNotKnowIsToldBesideAnEdit() throws {
    let wide = try open(Wider.self, .beside())
    try wide.write { try $0.books.insert(Wider.Book(id: 1, title: "Emma")) }
    try wide.flushAndWait(folding: true)
    let old = try open(Old.self, .beside())
    try wide.write { value in
      try value.books.update(1) { $0.title = "Emma2" }
      try value.loans.insert(Counter(id: 7, value: 1))
    }
    try wide.flushAndWait(folding: true)
    old.checkFileAndWait()
    try wide.write { _ = $0.loans.remove(7) }
    try wide.flushAndWait()
    old.checkFileAndWait()
    var edited: Wider = try SnapshotFile.decode(from: #require(test.fileSystem[test.path]))
    try edited.books.insert(Wider.Book(id: 2, title: "Sanditon"))
    test.fileSystem[test.path] = try SnapshotFile.encode(edited, as: .json)
    old.checkFileAndWait()
    #expect(old.read { $0.books.map(\.id) } == [1, 2])
    try old.flushAndWait(folding: true)
    wide.checkFileAndWait()
    #expect(wide.read { $0.loans[7] != nil })
    let conflicts = reports.withLock { reports in
      reports.flatMap { report -> [MergeConflict] in
        if case .merged(let outcome, _) = report { outcome.conflicts } else { [] }
      }
    }
    #expect(
      conflicts.filter { $0.table == "loans" } == [
        MergeConflict(table: "loans", id: "7", resolution: .keptTheirChange)
      ])
    try old.closeAndWait()
    try wide.closeAndWait()
  }

  /// The same for a removal if the program is started then. Nobody has what both were made from.
  @Test func aRemovalThatAProgramDoesNotKnowIsTold() throws {
    let wide = try test.open(Wider.self, StoreOptions.journaled())
    try wide.write { for id in 7...8 { try $0.loans.insert(Counter(id: id, value: 1)) } }
    try wide.flushAndWait(folding: true)
    try wide.write { value in
      value.loans.remove(7)
      try value.books.insert(Wider.Book(id: 1, title: "Emma"))
    }
    try wide.flushAndWait()
    let disk = test.fileSystem.copyOfFiles()
    try wide.closeAndWait()
    for path in disk.paths where path.contains(".generations/") { disk[path] = nil }
    var edited: Wider = try SnapshotFile.decode(from: #require(disk[test.path]))
    try edited.books.insert(Wider.Book(id: 2, title: "Persuasion"))
    disk[test.path] = try SnapshotFile.encode(edited, as: .json)
    let old = try Store<Old>.open(
      at: URL(fileURLWithPath: test.path), options: .journaled(), fileSystem: disk, scheduler: ManualScheduler())
    #expect(old.read { $0.books.map(\.id) } == [1, 2])
    #expect(
      old.openReport?.journal?.outcome?.conflicts
        == [MergeConflict(table: "loans", id: "", resolution: .keptTheirChange)])
    try old.closeAndWait()
    #expect(try SnapshotFile.decode(Wider.self, from: #require(disk[test.path])).loans.map(\.id) == [7, 8])
  }

  /// A store that knows no loans. Only a line has one, of a peer that is closed.
  private func oldBesideAnUnknownLine() throws -> Store<Old> {
    let wide = try open(Wider.self, .beside())
    try wide.write { try $0.books.insert(Wider.Book(id: 1, title: "Emma")) }
    try wide.flushAndWait(folding: true)
    let old = try open(Old.self, .beside())
    try wide.write { try $0.loans.insert(Counter(id: 7, value: 1)) }
    try wide.flushAndWait()
    try wide.closeAndWait()
    old.checkFileAndWait()
    return old
  }

  /// A peer has saved it in a line only. Then another program puts the file without it in place.
  @Test(arguments: [false, true]) func whatOnlyAJournalHadStaysWithoutTheJournal(isReformatted: Bool) throws {
    let old = try oldBesideAnUnknownLine()
    var edited: Wider = try SnapshotFile.decode(from: #require(test.fileSystem[test.path]))
    #expect(edited.loans.isEmpty)
    if !isReformatted { try edited.books.insert(Wider.Book(id: 2, title: "Sanditon")) }
    test.fileSystem[test.path] = try SnapshotFile.encode(edited, as: .xml)
    test.fileSystem["/dir/.store.json.journal"] = nil
    settle()
    old.checkFileAndWait()
    let told = reports.withLock { reports in reports.contains { "\($0)".contains("loans") } }
    #expect(told)
    try old.closeAndWait()
    #expect(try test.stored(Wider.self).loans.map(\.id) == [7])
  }

  /// A sync service has another version of the file, which was made without the line.
  @Test func whatOnlyAJournalHadStaysBesideAConflictVersion() throws {
    let old = try oldBesideAnUnknownLine()
    var version: Wider = try SnapshotFile.decode(from: #require(test.fileSystem[test.path]))
    try version.books.insert(Wider.Book(id: 2, title: "Sanditon"))
    test.fileSystem["/dir/version.json"] = try SnapshotFile.encode(version, as: .json)
    old.mergeVersions([Version(url: URL(fileURLWithPath: "/dir/version.json"))])
    try old.closeAndWait()
    let stored = try test.stored(Wider.self)
    #expect(stored.books.map(\.id) == [1, 2])
    #expect(stored.loans.map(\.id) == [7])
  }

  private struct Version: ConflictVersion {
    let url: URL
    func resolve() throws {}
  }

  /// An edit beside the journal is merged with its exact base, also in what the program does not know.
  @Test func anEditOfUnknownContentBesideAJournalIsTaken() throws {
    let wide = try open(Wider.self, .beside())
    try wide.write { for id in 6...7 { try $0.loans.insert(Counter(id: id, value: 1)) } }
    try wide.flushAndWait(folding: true)
    let old = try open(Old.self, .beside())
    try wide.write { try $0.loans.insert(Counter(id: 8, value: 1)) }
    try wide.flushAndWait()
    old.checkFileAndWait()
    var edited: Wider = try SnapshotFile.decode(from: #require(test.fileSystem[test.path]))
    edited.loans.remove(7)
    try edited.loans.update(6) { $0.value = 2 }
    test.fileSystem[test.path] = try SnapshotFile.encode(edited, as: .json)
    settle()
    old.checkFileAndWait()
    try old.flushAndWait(folding: true)
    wide.checkFileAndWait()
    #expect(wide.read { $0.loans.map { [$0.id, $0.value] } } == [[6, 2], [8, 1]])
    try old.closeAndWait()
    try wide.closeAndWait()
  }

  /// A store without changes takes each edit, and leaves the file as it is.
  @Test(arguments: [ExternalChange.Policy.merge, .reload]) func editsThatAreTakenAreNotWrittenAgain(
    _ policy: ExternalChange.Policy
  ) throws {
    let wide = try test.open(Wider.self, StoreOptions.journaled())
    try wide.write { value in
      for id in 1...2 { try value.books.insert(Wider.Book(id: id, title: "Emma", pages: 474)) }
      for id in 6...7 { try value.loans.insert(Counter(id: id, value: 1)) }
    }
    try wide.closeAndWait()
    var options = StoreOptions.journaled()
    options.externalChanges = policy
    let old = try test.open(Old.self, options)
    let edits: [(inout Wider) throws -> Void] = [
      { try $0.loans.update(7) { $0.value = 2 } }, { try $0.loans.update(7) { $0.value = 3 } },
      { value in value.loans.remove(7) },
      { try $0.books.update(1) { $0.pages = 500 } }, { try $0.books.update(1) { $0.pages = 501 } },
      { try $0.books.insert(Wider.Book(id: 3, title: "Sanditon, a novel", pages: 3)) },
      { try $0.loans.update(6) { $0.value = 2 } }, { value in value.books.remove(2) },
    ]
    for edit in edits {
      var edited: Wider = try SnapshotFile.decode(from: #require(test.fileSystem[test.path]))
      try edit(&edited)
      let bytes = try SnapshotFile.encode(edited, as: .json)
      test.fileSystem[test.path] = bytes
      test.scheduler.advance(by: .seconds(3_000))
      old.checkFileAndWait()
      #expect(!old.status.isDirty)
      try old.flushAndWait()
      #expect(test.fileSystem[test.path] == bytes)
    }
    #expect(test.paths.filter { $0.contains("conflict") } == [])
    try old.closeAndWait()
    #expect(try test.stored(Wider.self).loans.map { [$0.id, $0.value] } == [[6, 2]])
  }

  /// What belongs to records that are gone is not written, and a table is no single value.
  @Test func unknownContentIsComparedAsItIsWritten() throws {
    func content(_ text: String) throws -> SnapshotContent<Old> {
      let file = #"{"snapshot":{"schema":"shelf","version":1},"books":[{"id":1,"title":"","pages":1}],"#
      return try SnapshotFile.decodeContent(from: Array((file + text + "}").utf8))
    }
    let plain = try content(#""loans":[],"notes":"x""#)
    #expect(try plain.hasSameUnknown(as: content(#""loans":[],"notes":"x""#)))
    #expect(try !plain.hasSameUnknown(as: content(#""loans":[],"notes":["x"]"#)))
    #expect(try !plain.hasSameUnknown(as: content(#""loans":[],"notes":"y""#)))
    var removed = plain
    removed.value.books.remove(1)
    var other = try content(#""loans":[],"notes":"x""#)
    other.value.books.remove(1)
    other.unknown.set([1: [], 2: []], of: "books", Old.Book.self)
    #expect(removed.hasSameUnknown(as: other))
  }
}
