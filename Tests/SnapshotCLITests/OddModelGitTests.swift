import Foundation
import SnapshotStore
import Testing

@testable import TestSupport

/// The drivers for git, in a real repository with conflicts, on a model with ids under other keys.
@Suite(.enabled(if: GitRepository.isThere)) struct OddModelGitTests {
  private let repository: GitRepository
  private var cli: CLI { repository.cli }

  init() throws {
    repository = try GitRepository()
    try cli.write(
      try cli.text(".gitattributes") + "odd.* -text diff=snapshot merge=snapshot\n", to: ".gitattributes")
    try save(OddModel.sample(), "start")
  }

  /// Writes the value in two formats, and commits it.
  private func save(_ model: OddModel, _ message: String) throws {
    try Data(SnapshotFile.encode(model, as: .json)).write(to: cli.url("odd.json"))
    try Data(SnapshotFile.encode(model, as: .xml)).write(to: cli.url("odd.plist"))
    try repository.git("add", "odd.json", "odd.plist", ".gitattributes")
    try repository.git("commit", "--quiet", "--message", message)
  }

  private func onBranch(_ name: String, _ change: (inout OddModel) throws -> Void) throws {
    try repository.git("checkout", "--quiet", "-b", name, "main")
    var model = OddModel.sample()
    try change(&model)
    try save(model, name)
    try repository.git("checkout", "--quiet", "main")
  }

  private func models() throws -> [OddModel] {
    try ["odd.json", "odd.plist"].map { try SnapshotFile.read(OddModel.self, at: cli.url($0)) }
  }

  @Test func differentRecordsMergeByThemselves() throws {
    try onBranch("ours") { model in
      try model.gadgets.update(7) { $0.name = "Ours" }
      model.gadgets.remove(100)
      model.recent.append("ours")
    }
    try onBranch("theirs") { model in
      try model.gadgets.update(8) { $0.name = "Theirs" }
      try model.gadgets.upsert(Gadget(9))
      try model.spots.update(Spot.Place(x: 1, y: 2)) { $0.label = "there" }
      model.mode = .on(level: 1, since: Date(timeIntervalSinceReferenceDate: 0))
    }
    try repository.git("merge", "--quiet", "--message", "1", "ours")
    let output = try repository.git("merge", "--message", "2", "theirs")
    #expect(!output.contains("CONFLICT"))
    for model in try models() {
      #expect(model.gadgets.map(\.name) == ["Gadget -3", "Ours", "Theirs", "Gadget 9"])
      #expect(model.spots[Spot.Place(x: 1, y: 2)]?.label == "there" && model.recent.last == "ours")
      #expect(model.mode != .off && model.ratio.isNaN)
    }
    try repository.requireNothingLeftBehind()
  }

  @Test func aConflictStopsGitAndKeepsOurs() throws {
    try onBranch("ours") { try $0.gadgets.update(7) { $0.name = "Ours" } }
    try onBranch("theirs") { model in
      try model.gadgets.update(7) { $0.name = "Theirs" }
      try model.gadgets.update(8) { $0.name = "Theirs" }
      model.ratio = 1
    }
    try repository.git("merge", "--quiet", "--message", "1", "ours")
    let output = try repository.git("merge", "--message", "2", "theirs", failing: true)
    #expect(output.contains("CONFLICT") && output.contains("! \(OddModel.gadgetTable) 7, name"))
    for model in try models() {
      #expect(model.gadgets[7]?.name == "Ours" && model.gadgets[8]?.name == "Theirs" && model.ratio == 1)
    }
  }

  @Test func theDifferenceNamesIDs() throws {
    try onBranch("ours") { try $0.tokens.update($0.tokens.ids[1]) { $0.owner = "Bo" } }
    let output = try repository.git("diff", "main", "ours", "--", "odd.plist")
    #expect(output.contains("~ tokens 00000002-0000-4000-8000-000000000000\n    owner: \"Ada\" → \"Bo\""))
  }
}
