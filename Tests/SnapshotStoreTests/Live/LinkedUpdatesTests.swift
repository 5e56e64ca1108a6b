import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Links from one store to another: resolved in bulk, live from both sides, with missing targets.
@Suite(.timeLimit(.minutes(30)))
struct LinkedUpdatesTests {
  struct Shed: Model {
    var tools = Table<Implement>()
    static let schema = Schema<Shed>(name: "shed", version: 1) { Field("tools", \.tools) }
  }

  static func shed(_ names: String...) throws -> Store<Shed> {
    let store = Store(Shed())
    try store.write { shed in for name in names { try shed.tools.insert(Implement(id: name, name: name)) } }
    return store
  }

  static func linked(_ house: Store<House>, _ shed: Store<Shed>) -> LinkedUpdates<Chore, NoSections, Implement> {
    house.observe(\.chores, where: { !$0.isDone }, sortedBy: \.rank).linked(by: { [$0.tool] }, to: shed, \.tools)
  }

  @Test func aLinkIsItsIDInAFile() throws {
    let link = SoftLink<Implement>(to: Implement(id: "mop"))
    #expect(String(decoding: try JSONEncoder().encode([link]), as: UTF8.self) == #"["mop"]"#)
    #expect(try JSONDecoder().decode([SoftLink<Implement>].self, from: Data(#"["mop"]"#.utf8)) == [link])
    let house = try House([Chore(id: 1, tool: link)])
    for format in FileFormat.allCases {
      let bytes = try SnapshotFile.encode(house, as: format)
      #expect(try SnapshotFile.decode(House.self, from: bytes).chores[1]?.tool == link)
    }
  }

  @Test func inBulk() throws {
    let shed = try Self.shed("axe", "broom", "mop")
    let links = ["mop", "saw", "axe", "mop", "drill"].map { SoftLink<Implement>($0) }
    let targets = shed.resolve(links, in: \.tools)
    #expect(targets.found.map(\.id) == ["axe", "mop"])
    #expect(targets.missing == ["drill", "saw"])
    #expect(targets.ids == ["axe", "drill", "mop", "saw"])
    #expect(targets.count == 4)
    #expect(targets[SoftLink("mop")] == Implement(id: "mop", name: "mop"))
    #expect(targets[SoftLink("saw")] == nil)
    // What was not asked for is known all the same, as it was then.
    try shed.write { _ = $0.tools.remove("broom") }
    #expect(targets[SoftLink("broom")]?.name == "broom")
    #expect(shed.resolve([], in: \.tools).count == 0)
  }

  @Test func bothSidesAreFollowed() async throws {
    let (house, shed) = (Store(try House([Chore(id: 1)])), try Self.shed("axe"))
    var iterator = Self.linked(house, shed).makeAsyncIterator()
    let first = try #require(await iterator.next())
    #expect(first.targets.missing == ["broom"])
    #expect(first.batch == nil)

    try shed.write { try $0.tools.insert(Implement(id: "broom")) }
    let second = try #require(await iterator.next())
    #expect(second.batch == nil)
    #expect(second.changedTargets == ["broom"])
    #expect(second.targets[second.list[0].tool]?.id == "broom")
    #expect(first.targets.missing == ["broom"])

    try house.set(Chore(id: 2, tool: SoftLink("axe")))
    let third = try #require(await iterator.next())
    #expect(third.batch?.inserts == [1])
    #expect(third.changedTargets == [])
    #expect(third.targets.found.map(\.id) == ["axe", "broom"])

    // A link of two records is dropped with the last of them.
    try house.set(Chore(id: 1, tool: SoftLink("axe")))
    #expect(await iterator.next()?.targets.ids == ["axe"])
    try house.write { _ = $0.chores.remove(2) }
    #expect(await iterator.next()?.targets.ids == ["axe"])
    try house.set(Chore(id: 1, isDone: true))
    #expect(await iterator.next()?.targets.ids == [])
  }

  @Test func whatIsNotLinkedIsNotDelivered() async throws {
    let (house, shed) = (Store(try House([Chore(id: 1)])), try Self.shed("broom"))
    let linked = Self.linked(house, shed)
    let task = Task {
      var iterator = linked.makeAsyncIterator()
      _ = await iterator.next()
      return await iterator.next()
    }
    await linked.targets.watch.untilWaiting()
    try shed.write { try $0.tools.insert(Implement(id: "saw")) }
    try house.set(Chore(id: 5, isDone: true))
    #expect(linked.targets.watch.waiterCount == 1)
    #expect(linked.updates.source.watch.waiterCount == 1)
    try shed.write { _ = $0.tools.remove("broom") }
    let update = try #require(await task.value)
    #expect(update.changedTargets == ["broom"])
    #expect(update.targets.missing == ["broom"])
    #expect(linked.updates.source.watch.waiterCount == 0)
  }

  struct Workshop: Model {
    var chores = Table<Chore>()
    var tools = Table<Implement>()
    static let schema = Schema<Workshop>(name: "workshop", version: 1) {
      Field("chores", \.chores)
      Field("tools", \.tools)
    }
  }

  // Each transaction gives the chore another tool and removes the previous one, so a chore always has its tool.
  @Test func oneStoreOnBothSidesIsOneValue() async throws {
    let store = Store(Workshop())
    let set: @Sendable (Int) throws -> Void = { number in
      try store.write { workshop in
        workshop.tools.removeAll()
        try workshop.tools.insert(Implement(id: "\(number)"))
        try workshop.chores.upsert(Chore(id: 1, tool: SoftLink("\(number)")))
      }
    }
    try set(0)
    let linked = store.observe(\.chores, sortedBy: \.rank).linked(by: { [$0.tool] }, to: store, \.tools)
    let followers = (0..<2).map { _ in
      Task {
        var isWhole = true
        for await update in linked { isWhole = isWhole && update.targets.missing.isEmpty }
        return isWhole
      }
    }
    await linked.targets.watch.untilWaiting(2)
    let writer = Task.detached { for number in 1...20_000 { try set(number) } }
    try await writer.value
    try await store.close()
    for follower in followers { #expect(await follower.value) }
  }

  @Test func itEndsWithTheLastOfBoth() async throws {
    let (house, shed) = (Store(try House([Chore(id: 1)])), try Self.shed("broom"))
    let linked = Self.linked(house, shed)
    let task = Task {
      var revisions: [[String]] = []
      var iterator = linked.makeAsyncIterator()
      while let update = await iterator.next() { revisions.append(update.targets.missing) }
      let isOver = await iterator.next() == nil
      #expect(isOver)
      return revisions
    }
    await linked.targets.watch.untilWaiting()
    try await shed.close()
    await linked.updates.source.watch.untilWaiting()
    try house.set(Chore(id: 2, tool: SoftLink("saw")))
    try await house.close()
    #expect(await task.value == [[], ["saw"]])
  }

  @Test func cancellingEndsTheWait() async throws {
    let (house, shed) = (Store(House()), try Self.shed())
    let linked = Self.linked(house, shed)
    let task = Task { await linked.reduce(0) { count, _ in count + 1 } }
    await linked.targets.watch.untilWaiting()
    task.cancel()
    #expect(await task.value == 1)
    #expect(linked.updates.source.watch.waiterCount == 0)
  }

  @Test func linksAreCountedRight() async {
    await each(SeededGenerator.seeds(5)) { (seed: UInt64) async throws in
      var random = SeededGenerator(seed: seed)
      let tools = ["axe", "broom", "drill", "mop", "saw"]
      let (house, shed) = (Store(House()), try Self.shed())
      var iterator = Self.linked(house, shed).makeAsyncIterator()
      var last = try #require(await iterator.next())
      for _ in 0..<200 {
        let name = tools.randomElement(using: &random) ?? ""
        if Bool.random(using: &random) {
          try house.write { house in
            try house.changeAtRandom(&random, ids: 6)
            if let id = house.chores.ids.randomElement(using: &random) {
              try house.chores.update(id) { $0.tool = SoftLink(name) }
            }
          }
        } else {
          try shed.write { shed in
            if shed.tools.remove(name) == nil {
              try shed.tools.insert(Implement(id: name, name: "\(shed.tools.count)"))
            }
          }
        }
        let chores = house.read { $0.chores.filter { !$0.isDone } }
        let ids = Set(chores.map(\.tool.id)).sorted()
        let table = shed.read { $0.tools }
        let changed = table.changes(from: last.targets.table).contains { ids.contains($0.id) }
        if !changed, chores.sorted(by: { ($0.rank, $0.id) < ($1.rank, $1.id) }) == Array(last.list) { continue }
        last = try #require(await iterator.next())
        #expect(last.targets.ids == ids, "seed \(seed)")
        #expect(last.targets.found.map(\.id) == ids.filter { table.contains($0) })
        #expect(last.targets.missing == ids.filter { !table.contains($0) })
      }
    }
  }
}
