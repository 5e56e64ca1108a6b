@testable import SnapshotStore
@testable import TestSupport

/// The surroundings of a run: how many stores have the file open, in which way, and what may happen.
struct ExplorerMode: Sendable, CustomStringConvertible {
  /// The models of the stores.
  enum Programs: Sendable {
    case alike
    /// The second store does not know the second table.
    case unlike
    /// Removed records leave tombstones.
    case burying
    /// The first version of a program, until it is upgraded.
    case upgraded
    /// The file has one value, whose properties are the records.
    case single
    /// The same, and the second store does not know all properties.
    case unlikeSingle
    /// The same, until all programs are replaced by those that name the properties in another way.
    case renamingSingle
  }

  let name: String
  var stores = 2
  var access = StoreAccess.shared
  /// Whether the first store has the file alone, while it is open. The others wait for that.
  var isFirstExclusive = false
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
  /// Whether the folder is moved away, and a copy takes its place.
  var hasMoves = false
  /// Whether all stores change the same records, besides those of their own.
  var isContested = false
  var programs = Programs.alike

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
    ExplorerMode(name: "shared-models", programs: .unlike),
    ExplorerMode(name: "shared-exclusive", isFirstExclusive: true, steps: 20, hasCommands: true),
    ExplorerMode(name: "shared-lost-lock", hasFaults: false, losesLockFile: true),
    ExplorerMode(name: "exclusive-others", stores: 1, access: .exclusive, hasReader: true, hasOthers: true),
    ExplorerMode(name: "shared-others", hasReader: true, hasOthers: true),
    ExplorerMode(name: "exclusive-moved", stores: 1, access: .exclusive, hasKills: true, hasMoves: true),
    ExplorerMode(name: "shared-moved", hasMoves: true),
    ExplorerMode(name: "exclusive-tombstones", stores: 1, access: .exclusive, hasCommands: true, programs: .burying),
    ExplorerMode(name: "shared-tombstones", hasKills: true, programs: .burying),
    ExplorerMode(
      name: "exclusive-versions", stores: 1, access: .exclusive, hasKills: true, hasCommands: true, programs: .upgraded),
    ExplorerMode(name: "shared-versions", programs: .upgraded),
    ExplorerMode(
      name: "exclusive-value", stores: 1, access: .exclusive, hasKills: true, hasCommands: true, programs: .single),
    ExplorerMode(name: "shared-value", hasCommands: true, programs: .single),
    ExplorerMode(name: "shared-value-others", hasReader: true, hasOthers: true, programs: .single),
    ExplorerMode(name: "shared-models-others", hasReader: true, hasOthers: true, programs: .unlike),
    ExplorerMode(name: "shared-value-models", hasReader: true, hasOthers: true, programs: .unlikeSingle),
    ExplorerMode(
      name: "exclusive-value-versions", stores: 1, access: .exclusive, hasKills: true, hasCommands: true,
      hasOthers: true, programs: .renamingSingle),
    ExplorerMode(name: "shared-value-versions", hasOthers: true, programs: .renamingSingle),
    ExplorerMode(name: "shared-contested", stores: 3, steps: 18, isContested: true),
    ExplorerMode(name: "shared-contested-killed", hasKills: true, losesLockFile: true, isContested: true),
    ExplorerMode(name: "shared-contested-others", hasOthers: true, isContested: true),
    ExplorerMode(
      name: "exclusive-contested-others", stores: 1, access: .exclusive, hasKills: true, hasOthers: true,
      isContested: true),
  ]

  /// Whether a store may merge a file of which nobody can say what it was made from.
  var mayMerge: Bool { hasOthers || losesLockFile || hasMoves }

  func access(of number: Int) -> StoreAccess { isFirstExclusive && number == 0 ? .exclusive : access }

  /// The model of a store at its first start.
  func model(_ number: Int) -> any ExplorerModel.Type {
    switch programs {
    case .alike: Counters.self
    case .unlike: number == 1 ? LeftCounters.self : Counters.self
    case .burying: BuriedCounters.self
    case .upgraded: FirstCounters.self
    case .single: ValueModel<NamedNumbers<PlainNames>>.self
    case .unlikeSingle:
      number == 1 ? ValueModel<NamedNumbers<SomeNames>>.self : ValueModel<NamedNumbers<PlainNames>>.self
    case .renamingSingle: ValueModel<NamedNumbers<OldNames>>.self
    }
  }

  /// The model that knows all of the file, in every version.
  var newestModel: any ExplorerModel.Type {
    switch programs {
    case .alike, .unlike: Counters.self
    case .burying: BuriedCounters.self
    case .upgraded: SecondCounters.self
    case .single, .unlikeSingle: ValueModel<NamedNumbers<PlainNames>>.self
    case .renamingSingle: ValueModel<NamedNumbers<NewNames>>.self
    }
  }
}
