import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Links from one store to another, resolved in bulk, with missing targets.
struct LinkTargetsTests {
  private struct Shed: Model {
    var tools = Table<Implement>()
    static let schema = Schema<Shed>("shed", version: 1, Field("tools", \.tools))
  }

  private static func shed(_ names: String...) throws -> Store<Shed> {
    let store = Store(Shed())
    try store.write { shed in for name in names { try shed.tools.insert(Implement(id: name, name: name)) } }
    return store
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
}
