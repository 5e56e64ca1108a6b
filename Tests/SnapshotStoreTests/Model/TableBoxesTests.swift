import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Tables that are built from boxes and iterated by leaves, as file readers and writers do.
struct TableBoxesTests {
  @Test func builtOnAnyNumberOfThreads() {
    each(SeededGenerator.seeds(2), [1, 2, 8]) { (seed: UInt64, threads: Int) throws in
      var random = SeededGenerator(seed: seed)
      let people = (0..<5_000).map { Person.random(id: $0, using: &random).withoutUniqueKeys }
      let boxes = people.map { RecordBox($0) }
      let table = try Table(sortedBoxes: boxes, threads: threads)
      #expect(table.count == people.count)
      #expect(table.invariantViolations() == [])
      var found: [RecordBox<Person>] = []
      table.forEachLeaf { found += $1 }
      #expect(found.elementsEqual(boxes) { $0 === $1 })
      let shuffled = try Table(sortedBoxes: boxes.shuffled(using: &random), threads: threads)
      #expect(shuffled.invariantViolations() == [])
      #expect(shuffled.ids == table.ids)
    }
  }

  @Test func refusals() throws {
    let twice = [1, 2, 2].map { RecordBox(Person(id: $0)) }
    expectRefusal(.duplicate) { _ = try Table(sortedBoxes: twice) }
    let clashing = [1, 2].map { RecordBox(Person(id: $0, email: "a")) }
    expectRefusal(.uniqueKeyTaken) { _ = try Table(sortedBoxes: clashing, threads: 2) }
  }

  /// Many at once has the same effect as one after the other.
  @Test func manyAtOnce() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var one = Table<Person>()
      one.changeAtRandom(400, isUnique: false, using: &random)
      var many = one
      let boxes = (50..<150).map { RecordBox(Person.random(id: $0, using: &random).withoutUniqueKeys) }
      for box in boxes { try one.upsert(box.record) }
      try many.put(boxes)
      #expect(many.map(\.id) == one.map(\.id))
      #expect(many.invariantViolations() == [])
      let ids = (0..<120).map { _ in Int.random(in: 0..<200, using: &random) }
      let removed = many.remove(ids)
      #expect(removed.map(\.id) == ids.compactMap { one.remove($0)?.id })
      #expect(many.invariantViolations() == [])
      let before = many
      let clashing = [1, 2].map { RecordBox(Person(id: $0, email: "same")) }
      expectRefusal(.uniqueKeyTaken) { try many.put(clashing) }
      #expect(many.isIdentical(to: before))
      #expect(many.invariantViolations() == [])
    }
  }

  /// Access without copying gives the same as access with copies.
  @Test func withoutCopies() throws {
    each(SeededGenerator.seeds(2)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let people = (0..<500).map { Person(id: $0 * 2, groups: ["\($0)"]) }
      let table = try Table(people)
      #expect(table.boxes.map(\.record) == people)
      for id in 0..<1_000 { #expect(table.box(id)?.record == table[id]) }
      #expect(table.box(4) === table.boxes[2])
      let limit = Int.random(in: 0..<1_000, using: &random)
      #expect(table.filter { $0.id < limit } == people.filter { $0.id < limit })
    }
    let table = try Table((0..<100).map { Person(id: $0) })
    #expect(throws: CancellationError.self) {
      _ = try table.filter { person in if person.id == 50 { throw CancellationError() } else { return true } }
    }
  }

  /// Several at once are those that are found one by one, and are retained as often.
  @Test func severalAtOnce() throws {
    each(SeededGenerator.seeds(2), [0, 1, 63, 64, 65, 300]) { (seed: UInt64, count: Int) throws in
      var random = SeededGenerator(seed: seed)
      var table = try Table((0..<500).map { Person(id: $0 * 2) })
      let ids = (0..<count).map { _ in Int.random(in: -1...1_000, using: &random) }
      var boxes = table.boxes(ids)
      #expect(boxes.elementsEqual(ids.map { table.box($0) }) { $0 === $1 })
      let known = boxes.compactMap { $0?.record.id }
      table = Table()
      #expect(boxes.compactMap { $0?.record.id } == known)
      weak let last = boxes.last { $0 != nil } ?? nil
      boxes = []
      #expect(last == nil)
    }
  }
}
