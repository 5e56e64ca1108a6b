import Foundation

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A program that gets a fault at each of its calls. A new feature that touches the disk is one more entry in the list.
struct CrashScenario: Sendable {
  let name: String
  var path = "/dir/store.json"
  /// The initial content of the file; nil if there is none.
  var before: Counters?
  /// Other initial files.
  var leftovers: [String: [UInt8]] = [:]
  /// The actual content of a damaged file. These bytes must never be lost, and `before` is opened in their place.
  var damaged: [UInt8]?
  /// The allowed replacement for a damaged file. If it is a generation, `before` is in one.
  var recovery = Recovery.none
  /// What happens when another program changes the file.
  var externalChanges = ExternalChange.Policy.fail
  /// Whether a store finds the journal of a killed process.
  var findsJournal = false
  /// Whether several stores share the file. After a crash they seem to be running, so the lock file stays.
  var isShared = false
  /// Whether the file system knows hard links.
  var hasLinks = true
  /// Calls that report success and do nothing: the flaw of a control.
  var ignores: @Sendable (InMemoryFileSystem.Call, [InMemoryFileSystem.Call]) -> Bool = { _, _ in false }
  let body: @Sendable (CrashRun) throws -> Void

  /// The programs on the real store, and those that save through `AtomicSave` alone.
  static let all: [CrashScenario] = [
    CrashScenario(name: "a new file") { run in
      let store = try run.open()
      try run.commit(1, to: store)
      try run.commit(2, to: store)
      try run.close(store)
    },
    CrashScenario(name: "an old file", before: counters(1...2)) { run in
      let store = try run.open()
      try run.commit(3, to: store)
      try run.commit(4, to: store)
      try run.close(store)
    },
    CrashScenario(name: "a binary list", path: "/dir/store.bplist", before: counters(1...2)) { run in
      let store = try run.open()
      try run.commit(3, to: store)
      try run.close(store)
    },
    CrashScenario(name: "an XML list", path: "/dir/store.plist", before: counters(1...2)) { run in
      let store = try run.open()
      try run.commit(3, to: store)
      try run.close(store)
    },
    CrashScenario(name: "lines of JSON", path: "/dir/store.ndjson") { run in
      let store = try run.open()
      try run.commit(3, to: store)
      try run.close(store)
    },
    // The unchanged leaves are copied from the old file.
    CrashScenario(name: "many records", before: counters(1...300)) { run in
      let store = try run.open()
      try run.commit(301, to: store)
      try run.commit(302, to: store)
      try run.close(store)
    },
    CrashScenario(name: "saves by the clock", before: counters(1...2)) { run in
      let store = try run.open(.automatic())
      for id in 3...5 {
        try run.write(id, to: store)
        run.clock.advance(by: .seconds(1))
        run.believe(store)
      }
      run.clock.advance(by: .seconds(40))
      run.believe(store)
      try run.commit(6, to: store)
    },
    CrashScenario(name: "generations", before: counters(1...2)) { run in
      let store = try run.open(generations: Generation.Policy(count: 1, interval: .zero))
      try run.commit(3, to: store)
      try run.commit(4, to: store)
      try run.close(store)
    },
    CrashScenario(
      name: "generations without links", before: counters(1...2), hasLinks: false
    ) { run in
      let store = try run.open(generations: Generation.Policy(count: 1, interval: .zero))
      try run.commit(3, to: store)
      try run.commit(4, to: store)
      try run.close(store)
    },
    CrashScenario(
      name: "a damaged file", before: counters(1...2), damaged: Array("{\"snap".utf8), recovery: .generations
    ) { run in
      let store = try run.open()
      try run.commit(3, to: store)
      try run.close(store)
    },
    CrashScenario(
      name: "a damaged file without links", before: counters(1...2), damaged: Array("{\"snap".utf8),
      recovery: .generations, hasLinks: false
    ) { run in
      let store = try run.open()
      try run.commit(3, to: store)
      try run.close(store)
    },
    CrashScenario(
      name: "salvage", before: counters(1...2), damaged: counters(1...2).jsonWithDamagedRecord, recovery: .salvage
    ) { run in
      let store = try run.open()
      try run.commit(4, to: store)
      try run.close(store)
    },
    CrashScenario(name: "another program's change, merged", before: counters(1...2), externalChanges: .merge) { run in
      let store = try run.open()
      try run.commit(3, to: store)
      run.otherProgramSets(10)
      try run.commit(4, to: store)
      run.otherProgramSets(11)
      try run.close(store)
    },
    CrashScenario(name: "another program's change, kept aside", before: counters(1...2), externalChanges: .keepOurs) {
      run in
      let store = try run.open()
      try run.commit(3, to: store)
      run.otherProgramSets(10)
      try run.commit(4, to: store)
      try run.close(store)
    },
    CrashScenario(name: "short sessions") { run in
      try run.update(1)
      try run.update(2)
    },
    CrashScenario(name: "two stores take turns", before: counters(1...2)) { run in
      let first = try run.open()
      try run.commit(3, to: first)
      // It is refused, without harm to the first.
      let second = try? Store<Counters>.open(
        at: run.url, options: CrashRun.options(), fileSystem: run.disk, scheduler: run.clock)
      if second != nil { throw SnapshotError(.locked, "two stores have the file open for writing") }
      try run.commit(4, to: first)
      try run.close(first)
      let third = try run.open()
      try run.commit(5, to: third)
      try run.close(third)
    },
    CrashScenario(
      name: "after others were killed", before: counters(1...2),
      leftovers: ["/dir/.store.json.lock": [], "/dir/\(TemporaryName(for: "store.json").with(7))": [1, 2, 3]]
    ) { run in
      let store = try run.open()
      try run.commit(3, to: store)
      try run.close(store)
    },
    PlainWriter(flaws: []).scenario,
  ]

  /// The programs with a journal.
  static let withJournal: [CrashScenario] = [
    CrashScenario(name: "a journal", before: counters(1...2)) { run in
      let store = try run.open(journal: .beside())
      for id in 3...5 { try run.commit(id, to: store) }
      try run.close(store)
    },
    CrashScenario(name: "a journal of a new file") { run in
      let store = try run.open(journal: .beside())
      for id in 1...2 { try run.commit(id, to: store) }
      try run.close(store)
    },
    CrashScenario(name: "a journal of a binary list", path: "/dir/store.bplist", before: counters(1...2)) { run in
      let store = try run.open(journal: .beside())
      for id in 3...4 { try run.commit(id, to: store) }
      try run.close(store)
    },
    CrashScenario(name: "a journal that is folded by its size", before: counters(1...2)) { run in
      let store = try run.open(journal: .beside(size: 400, share: 0))
      for id in 3...8 { try run.commit(id, to: store) }
      try run.close(store)
    },
    CrashScenario(name: "a journal that is folded on request", before: counters(1...2)) { run in
      let store = try run.open(journal: .beside())
      try run.commit(3, to: store)
      try run.commit(4, to: store, folding: true)
      try run.commit(5, to: store)
      try run.close(store)
    },
    CrashScenario(name: "a journal that is folded in quiet times", before: counters(1...2)) { run in
      let store = try run.open(.automatic(), journal: .beside(quietTime: .seconds(20)))
      for id in 3...4 {
        try run.write(id, to: store)
        run.clock.advance(by: .seconds(1))
        run.believe(store)
      }
      run.clock.advance(by: .seconds(40))
      run.believe(store)
      try run.commit(5, to: store)
    },
    CrashScenario(name: "a journal and generations", before: counters(1...2)) { run in
      let store = try run.open(
        generations: Generation.Policy(count: 1, interval: .zero), journal: .beside(size: 300, share: 0))
      for id in 3...6 { try run.commit(id, to: store) }
      try run.close(store)
    },
    CrashScenario(name: "a journal whose store was not closed", before: counters(1...2), findsJournal: true) { run in
      for id in 3...4 { try run.leave(id) }
      let store = try run.open()
      try run.commit(5, to: store)
      try run.close(store)
    },
    CrashScenario(name: "a journal and changes that end where they began", before: counters(1...2)) { run in
      let store = try run.open(journal: .beside(size: 500, share: 0))
      for _ in 1...2 {
        try run.commit(3, to: store)
        try run.takeBack(3, from: store)
      }
      try run.close(store)
    },
    CrashScenario(
      name: "a journal and another program's change, merged", before: counters(1...2), externalChanges: .merge
    ) { run in
      let store = try run.open(journal: .beside())
      try run.commit(3, to: store)
      run.otherProgramSets(10)
      try run.commit(4, to: store)
      try run.commit(5, to: store)
      run.otherProgramSets(11)
      try run.close(store)
    },
  ]

  /// Two stores that share a file.
  static let shared: [CrashScenario] = [
    CrashScenario(name: "two stores with a journal", before: counters(1...2), isShared: true) { run in
      let (first, second) = (try run.share(journal: .beside()), try run.share(journal: .beside()))
      for id in 3...5 { try run.commit(id, sharing: id == 4 ? second : first) }
      for store in [first, second] { try run.closeShared(store) }
    },
    CrashScenario(name: "a fold of two stores", before: counters(1...2), isShared: true) { run in
      let (first, second) = (try run.share(journal: .beside()), try run.share(journal: .beside()))
      try run.commit(3, sharing: first)
      try run.commit(4, sharing: second, folding: true)
      try run.commit(5, sharing: first)
      for store in [first, second] { try run.closeShared(store) }
    },
    CrashScenario(name: "two stores without a journal", before: counters(1...2), isShared: true) { run in
      let (first, second) = (try run.share(journal: .none), try run.share(journal: .none))
      try run.commit(3, sharing: first)
      try run.commit(4, sharing: second)
      for store in [first, second] { try run.closeShared(store) }
    },
  ]

  /// Counters with the given ids.
  static func counters(_ ids: ClosedRange<Int>) -> Counters {
    var counters = Counters()
    for id in ids { try? counters.set(id, to: id) }
    return counters
  }

  /// Runs the program once, from the beginning, with events at its calls.
  func run(
    _ event: @escaping @Sendable (CrashRun, InMemoryFileSystem.Call) -> InMemoryFileSystem.Event?
  ) throws -> (CrashRun, (any Error)?) {
    let disk = InMemoryFileSystem(directories: ["/dir"])
    let run = CrashRun(of: self, on: disk)
    if let before { disk[path] = try SnapshotFile.encode(before, as: FileFormat(fileName: path) ?? .json) }
    if recovery == .generations {
      let folder = "/dir/.store.json.generations"
      disk.placeDirectory(folder)
      disk["\(folder)/\(Generation.fileName(number: 1, date: Date(timeIntervalSince1970: 0), of: "store.json"))"] =
        disk[path]
    }
    if let damaged { disk[path] = damaged }
    for (path, bytes) in leftovers { disk[path] = bytes }
    disk.injectEvent { [unowned run, unowned disk, hasLinks, ignores] call in
      if let event = event(run, call) { return event }
      if ignores(call, disk.calls) { return .ignore }
      return call.name == "linkat" && !hasLinks ? .fail(EPERM) : nil
    }
    do {
      try body(run)
    } catch {
      return (run, error)
    }
    return (run, nil)
  }
}

extension Counters {
  /// A file with these counters, and with an unreadable record in between.
  fileprivate var jsonWithDamagedRecord: [UInt8] {
    var counters = self
    guard (try? counters.set(100, to: 100)) != nil, let bytes = try? SnapshotFile.encode(counters, as: .json)
    else {
      fatalError("counters that cannot be encoded")
    }
    return Array(String(decoding: bytes, as: UTF8.self).replacing(#""id":100"#, with: #""id":1o0"#).utf8)
  }
}
