import Foundation

@testable import SnapshotStore

/// A program to be disturbed at each of its calls. A new capability that touches the disk is one more entry in the list.
struct CrashScenario: Sendable {
  let name: String
  var path = "/dir/store.json"
  /// What the file holds in the beginning; nil if there is none.
  var before: Counters?
  /// What else there is.
  var leftovers: [String: [UInt8]] = [:]
  /// What the file holds in truth, if it is damaged. These bytes must never be lost, and `before`, which is then in a
  /// generation, is opened in their place.
  var damaged: [UInt8]?
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
    // The leaves that were not changed are copied from the old file.
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
      let store = try run.open(generations: GenerationPolicy(count: 1, interval: .zero))
      try run.commit(3, to: store)
      try run.commit(4, to: store)
      try run.close(store)
    },
    CrashScenario(name: "a damaged file", before: counters(1...2), damaged: Array("{\"snap".utf8)) { run in
      let store = try run.open()
      try run.commit(3, to: store)
      try run.close(store)
    },
    CrashScenario(name: "short sessions") { run in
      try run.update(1)
      try run.update(2)
    },
    CrashScenario(name: "two stores take turns", before: counters(1...2)) { run in
      let first = try run.open()
      try run.commit(3, to: first)
      // Refused, and without harm to the first.
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
      leftovers: ["/dir/.store.json.lock": [], "/dir/.store.json.abc.tmp": [1, 2, 3]]
    ) { run in
      let store = try run.open()
      try run.commit(3, to: store)
      try run.close(store)
    },
    PlainWriter(flaws: []).scenario,
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
    let run = CrashRun(on: disk, path: path, before: before, damaged: damaged)
    if let before { disk[path] = try SnapshotFile.encode(before, as: FileFormat(fileName: path) ?? .json).bytes }
    if let damaged {
      let folder = "/dir/.store.json.generations"
      disk.placeDirectory(folder)
      disk["\(folder)/\(Generation.fileName(number: 1, date: Date(timeIntervalSince1970: 0), of: "store.json"))"] =
        disk[path]
      disk[path] = damaged
    }
    for (path, bytes) in leftovers { disk[path] = bytes }
    disk.injectEvent { [unowned run] call in event(run, call) }
    do {
      try body(run)
    } catch {
      return (run, error)
    }
    return (run, nil)
  }
}
