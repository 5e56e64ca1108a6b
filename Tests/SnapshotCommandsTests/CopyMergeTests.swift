import Foundation
import Testing

@testable import SnapshotCommands
@testable import SnapshotStore
@testable import TestSupport

/// The merge of two files without a base, in a tool for a model with tombstones.
@Suite struct CopyMergeTests {
  struct Plant: Record {
    let id: String
    var height = 0
    var changed: Date? = .day(1)
    static let mergeRules: [MergeRule] = [.modified("changed")]
  }

  struct Garden: CommandModel {
    var plants = Table<Plant>()
    var deletedPlants = Table<Tombstone<Plant>>()
    static let schema = Schema<Garden>(
      "garden", version: 1,
      Field("plants", \.plants),
      Field("deletedPlants", \.deletedPlants),
      tombstones: [Tombstones(of: \.plants, in: \.deletedPlants) { _ in .day(5) }])
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ garden: Garden, _ name: String) throws -> String {
    let url = folder.url(name)
    try Data(SnapshotFile.encode(garden, as: .json)).write(to: url)
    return url.path
  }

  @Test func aRemovedRecordDoesNotComeBack() throws {
    var garden = Garden()
    try garden.plants.upsert(contentsOf: ["elm", "fir", "oak"].map { Plant(id: $0) })
    var copy = garden
    try copy.plants.update("fir") { $0 = Plant(id: "fir", height: 2, changed: .day(6)) }
    let store = Store(garden)
    try store.write { $0.plants.removeAll() }
    let (ours, theirs) = (try write(store.snapshot().value, "ours.json"), try write(copy, "theirs.json"))
    for (index, files) in [[ours, theirs], [theirs, ours]].enumerated() {
      let output = folder.url("out\(index).json")
      var arguments = try Arguments(
        files + ["-o", output.path], command: MergeCommand<Garden>.self,
        tool: Tool(name: "garden", version: "1", summary: "", notes: "", commands: []))
      try MergeCommand<Garden>(&arguments).run()
      let merged: Garden = try SnapshotFile.read(at: output)
      #expect(merged.plants.map(\.height) == [2] && merged.deletedPlants.ids == ["elm", "oak"])
      #expect(merged.allViolations() == [])
    }
  }
}
