@testable import SnapshotStore
@testable import TestSupport

/// The surroundings of a run: how many stores have the file open, in which way, and what may happen.
struct ExplorerMode: Sendable, CustomStringConvertible {
  let name: String
  var stores = 2
  var access = StoreAccess.shared
  var journal = JournalPolicy.beside()
  var policy = SavePolicy.manual
  /// The number of records of each store. With three, their values are few too, so that changes are reverted.
  var slots = 3
  var steps = 16
  var hasFaults = true
  var hasKills = false
  var hasClockJumps = false
  var hasCommands = false
  var hasReader = false
  var hasOthers = false
  var losesLockFile = false
  /// Whether the second store does not know the second table.
  var hasOlderModel = false

  var description: String { name }

  static let all = [
    ExplorerMode(name: "exclusive", stores: 1, access: .exclusive, hasCommands: true, hasReader: true),
    ExplorerMode(name: "exclusive-killed", stores: 1, access: .exclusive, slots: 40, hasKills: true),
    ExplorerMode(name: "exclusive-automatic", stores: 1, access: .exclusive, policy: .automatic(), hasCommands: true),
    ExplorerMode(name: "exclusive-whole", stores: 1, access: .exclusive, journal: .none, hasKills: true),
    ExplorerMode(name: "shared-quiet", hasFaults: false, hasCommands: true, hasReader: true),
    ExplorerMode(name: "shared", hasCommands: true, hasReader: true),
    ExplorerMode(name: "shared-killed", slots: 40, hasKills: true),
    ExplorerMode(name: "shared-clocks", stores: 3, steps: 18, hasClockJumps: true),
    ExplorerMode(name: "shared-automatic", policy: .automatic()),
    ExplorerMode(name: "shared-whole", journal: .none, hasCommands: true),
    ExplorerMode(name: "shared-models", hasOlderModel: true),
    ExplorerMode(name: "shared-lost-lock", hasFaults: false, losesLockFile: true),
  ]
}
