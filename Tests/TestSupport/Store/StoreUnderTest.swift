import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting

/// A number with a name, as used in the stores of these tests.
struct Counter: Record {
  let id: Int
  var value: Int
}

/// Two tables, so that a transaction can change both together.
struct Counters: Model {
  var left = Table<Counter>()
  var right = Table<Counter>()

  static let schema = Schema<Counters>("counters", version: 1, Field("left", \.left), Field("right", \.right))

  /// Sets the counter with an id to a value in the left table.
  mutating func set(_ id: Int, to value: Int) throws {
    try left.upsert(Counter(id: id, value: value))
  }
}

extension Counters: Equatable {
  static func == (a: Counters, b: Counters) -> Bool { a.hasSameRecords(as: b) }
}

/// A folder in memory, a clock that stands still, and the stores on them.
struct StoreUnderTest {
  let fileSystem = InMemoryFileSystem(directories: ["/dir"])
  let scheduler: ManualScheduler
  let path: String

  /// - Parameter savesAtOnce: whether a save runs inside the call that asks for it, or waits for `runSaves`.
  init(path: String = "/dir/store.json", savesAtOnce: Bool = true) {
    self.path = path
    scheduler = ManualScheduler(runsAtOnce: savesAtOnce)
  }

  func open<Root: Model>(
    _ type: Root.Type = Root.self, _ policy: SavePolicy = .automatic(), format: FileFormat? = nil
  ) throws -> Store<Root> {
    var options = StoreOptions(policy: policy, format: format)
    // Failing saves are the subject of most of these tests. Their messages would fill the terminal.
    options.log = { _ in }
    return try open(type, options)
  }

  func open<Root: Model>(_ type: Root.Type, _ options: StoreOptions) throws -> Store<Root> {
    try Store<Root>.open(
      at: URL(fileURLWithPath: path), options: options, fileSystem: fileSystem, scheduler: scheduler)
  }

  /// The kept versions of the file, newest first.
  var generations: [Generation] {
    get throws {
      try GenerationFolder(fileSystem: fileSystem, location: FileLocation(path, on: fileSystem)).generations()
    }
  }

  /// The bytes of the file.
  var bytes: [UInt8]? {
    get { fileSystem[path] }
    nonmutating set { fileSystem[path] = newValue }
  }

  /// The value in the file.
  func stored<Root: Model>(_ type: Root.Type = Counters.self) throws -> Root {
    try SnapshotFile.decode(type, from: #require(bytes))
  }

  /// The paths of all files, except generations and the locks of open stores.
  var paths: [String] { fileSystem.paths.filter { !$0.hasSuffix(".lock") && !$0.contains(".generations/") } }

  /// The number of open files and directories, except those that an open store needs for its lock.
  var openCount: Int { fileSystem.openCount - 2 * fileSystem.lockCount }

  /// The number of times that the file was replaced.
  var replacements: Int { fileSystem.calls.count { $0.name == "renameat" } }

  /// Makes every write fail as on a full disk, or ends that.
  func setDiskFull(_ isFull: Bool) {
    fileSystem.injectFault { isFull && ["write", "pwrite"].contains($0.name) ? ENOSPC : nil }
  }

  /// Makes the sync of the directory fail, which follows immediately after the rename.
  func failDirectorySync() {
    let fileSystem = fileSystem
    fileSystem.injectFault { call in
      call.name == "fsync" && fileSystem.calls.dropLast().last?.name == "renameat" ? EIO : nil
    }
  }

  /// Runs saves until none is left.
  func runSaves() {
    while scheduler.runPending() {}
  }
}

/// Runs work on this number of new threads, and returns when all have ended.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread.detachNewThread {
      work(index)
      group.leave()
    }
  }
  group.wait()
}
