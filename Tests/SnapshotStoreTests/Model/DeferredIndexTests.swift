import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Indexes that are built when they are needed: no one can tell them from others.
struct DeferredIndexTests {
  /// The same table with and without indexes that nobody has needed yet.
  private static func tables(
    _ count: Int = 200, using random: inout SeededGenerator
  ) throws -> (eager: Table<Person>, deferred: Table<Person>) {
    let people = (0..<count).map { id in Person.random(id: id, using: &random).withoutUniqueKeys }
    let eager = try Table(people)
    var deferred = eager
    deferred.deferIndexes(of: deferred.boxes)
    #expect(deferred.unbuiltIndexes == [1, 2])
    return (eager, deferred)
  }

  private static func expectSame(_ a: Table<Person>, _ b: Table<Person>) {
    #expect(a.ids == b.ids)
    #expect(a.records(in: Person.byAge).map(\.id) == b.records(in: Person.byAge).map(\.id))
    #expect(a.records(in: Person.byGroup, at: "a").map(\.id) == b.records(in: Person.byGroup, at: "a").map(\.id))
    #expect(Array(a.entries(in: Person.byGroup)) == Array(b.entries(in: Person.byGroup)))
    #expect(b.invariantViolations() == [])
    #expect(b.unbuiltIndexes == [])
  }

  @Test func theyFollowEveryChange() {
    each(SeededGenerator.seeds(20)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var (eager, deferred) = try Self.tables(using: &random)
      for _ in 0..<4 {
        var (one, other) = (random, random)
        eager.changeAtRandom(20, using: &one)
        deferred.changeAtRandom(20, using: &other)
        random = one
        let boxes = (0..<10).map { _ in
          Table.Box(Person.random(id: Int.random(in: 0..<300, using: &random), using: &random).withoutUniqueKeys)
        }
        try eager.put(boxes)
        try deferred.put(boxes)
      }
      Self.expectSame(eager, deferred)
    }
  }

  /// An older version keeps its own entries, whichever version is asked first.
  @Test func versionsShareThem() {
    each([true, false]) { (oldFirst: Bool) throws in
      var random = SeededGenerator(seed: 5)
      let (eager, deferred) = try Self.tables(using: &random)
      var (newEager, newDeferred) = (eager, deferred)
      for id in 0..<50 {
        newEager.remove(id)
        newDeferred.remove(id)
      }
      if oldFirst { Self.expectSame(eager, deferred) }
      Self.expectSame(newEager, newDeferred)
      Self.expectSame(eager, deferred)
    }
  }

  /// Replaying a journal leaves them as they are: few changes and many, with removals.
  @Test func replacingRecordsDoesNotBuildThem() {
    each(SeededGenerator.seeds(20), [3, 150]) { (seed: UInt64, count: Int) throws in
      var random = SeededGenerator(seed: seed)
      var (eager, deferred) = try Self.tables(using: &random)
      let ids = (0..<400).shuffled(using: &random)
      let put = ids.prefix(count).sorted().map { id in
        Table.Box(Person.random(id: id, using: &random).withoutUniqueKeys)
      }
      let removed = ids.dropFirst(count).prefix(count).sorted()
      try eager.replace(put, removing: removed, threads: 2)
      try deferred.replace(put, removing: removed, threads: 2)
      // A table that is made anew is too small to defer them again.
      if count == 3 { #expect(deferred.unbuiltIndexes == [1, 2]) }
      Self.expectSame(eager, deferred)
    }
  }

  @Test func uniqueOnesAreNeverDeferred() throws {
    let people = (0..<5_000).map { Person(id: $0, email: "\($0 % 4_999)") }
    expectRefusal(.uniqueKeyTaken) {
      _ = try Table(sortedBoxes: people.map { Table.Box($0) }, defersIndexes: true)
    }
    let fine = try Table(sortedBoxes: people.dropLast().map { Table.Box($0) }, defersIndexes: true)
    #expect(fine.unbuiltIndexes == [1, 2])
    var table = fine
    expectRefusal(.uniqueKeyTaken) { try table.insert(Person(id: 9_000, email: "17")) }
    #expect(fine.records(in: Person.byEmail, at: "17").map(\.id) == [17])
    #expect(fine.unbuiltIndexes == [1, 2])
  }

  @Test func severalThreadsMayNeedOneAtOnce() async throws {
    var random = SeededGenerator(seed: 9)
    let (eager, deferred) = try Self.tables(2_000, using: &random)
    let ages = eager.records(in: Person.byAge).map(\.id)
    await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<8 { group.addTask { deferred.records(in: Person.byAge).map(\.id) } }
      for await found in group { #expect(found == ages) }
    }
  }

  @Test func aFileIsReadWithoutBuildingThem() throws {
    try FolderUnderTest.with(.real) { folder in
      var directory = Directory()
      var random = SeededGenerator(seed: 3)
      let people = (0..<5_000).map { Person.random(id: $0, using: &random).withoutUniqueKeys }
      try directory.people.upsert(contentsOf: people)
      let url = URL(fileURLWithPath: "\(folder.path)/people.json")
      try SnapshotFile.create(directory, as: .json, at: url)

      let read = try SnapshotFile.read(Directory.self, at: url)
      #expect(read.people.unbuiltIndexes == [1, 2])
      #expect(read.deferredBuilding.count == 2)
      Self.expectSame(directory.people, read.people)

      let store = try Store<Directory>.open(at: url)
      try store.write { directory in _ = directory.people.remove(7) }
      directory.people.remove(7)
      Self.expectSame(directory.people, store.snapshot().value.people)
      try store.closeAndWait()
    }
  }
}
