import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What a way into a store has made of a change.
struct WayResult {
  var book: OrderBook
  var conflicts: [MergeConflict] = []
  /// Whether the change was refused with a reason.
  var isRefused = false
}

/// A way in which a change comes into a store, beside a change that is there already.
struct WayIn: Sendable, CustomTestStringConvertible {
  typealias Change = @Sendable (inout OrderBook) throws -> Void

  let name: String
  /// Whether the change was in the store before, and was undone.
  var isUndo = false
  /// Whether it can only add records and change them.
  var onlyPuts = false
  /// Whether only dates and tombstones tell what a side has changed. Where these are missing, ours is taken.
  var hasNoBase = false
  let run: @Sendable (_ change: @escaping Change, _ beside: @escaping Change) async throws -> WayResult

  var testDescription: String { name }

  static let all = [
    write, block, scratchpad, imported, undo, redo, external(.merge), external(.reload), shared, untypedShared,
    journal, command, contents, copies,
  ]

  private static func result(_ store: Store<OrderBook>, _ change: () throws -> [MergeConflict]) -> WayResult {
    do {
      let conflicts = try change()
      return WayResult(book: store.read { $0 }, conflicts: conflicts)
    } catch {
      return WayResult(book: store.read { $0 }, isRefused: true)
    }
  }

  private static func filled(_ beside: Change) throws -> Store<OrderBook> {
    let store = Store(try OrderBook.filled())
    try store.write(beside)
    return store
  }

  /// What a program without the rules makes of a book.
  private static func edited(_ book: OrderBook, _ change: Change) throws -> OrderBook {
    var book = book
    try change(&book)
    return book
  }

  static let write = WayIn(name: "write") { change, beside in
    let store = try filled(beside)
    return result(store) {
      try store.write(change)
      return []
    }
  }

  static let block = WayIn(name: "background block") { change, beside in
    let store = Store(try OrderBook.filled())
    let isFirst = SmallLock(true)
    do {
      try await store.performBackground { book in
        try change(&book)
        let isNow = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if !isNow { return }
        let ended = DispatchSemaphore(value: 0)
        Thread {
          #expect(throws: Never.self) { try store.write(beside) }
          ended.signal()
        }.start()
        ended.wait()
      }
      return WayResult(book: store.read { $0 })
    } catch {
      return WayResult(book: store.read { $0 }, isRefused: true)
    }
  }

  static let scratchpad = WayIn(name: "scratchpad") { change, beside in
    let store = Store(try OrderBook.filled())
    let pad = store.scratchpad()
    try pad.write(change)
    try store.write(beside)
    return result(store) { try pad.commit(policy: .ours).conflicts }
  }

  static let imported = WayIn(name: "import", onlyPuts: true) { change, beside in
    let store = Store(try OrderBook.filled())
    let start = store.read { $0 }
    let items = try edited(start, change).items.changes(from: start.items).compactMap(\.after)
    return result(store) {
      try store.importRecords(items, into: \.items, batch: 1) { count in if count == 1 { try store.write(beside) } }
      return []
    }
  }

  static let undo = WayIn(name: "undo", isUndo: true) { change, beside in
    let start = try OrderBook.filled()
    // The change is in the store, is reverted by a step, and comes back by its undo.
    let store = Store(start)
    do { try store.write(change) } catch { return WayResult(book: store.read { $0 }, isRefused: true) }
    let history = UndoHistory(of: store, excluding: ["other"])
    try store.write { $0 = $0.replacingTables(with: start) }
    try store.write(origin: "other", beside)
    return result(store) { try history.undo()?.conflicts ?? [] }
  }

  static let redo = WayIn(name: "redo", isUndo: true) { change, beside in
    let store = Store(try OrderBook.filled())
    let history = UndoHistory(of: store, excluding: ["other"])
    do { try store.write(change) } catch { return WayResult(book: store.read { $0 }, isRefused: true) }
    _ = try history.undo()
    try store.write(origin: "other", beside)
    return result(store) { try history.redo()?.conflicts ?? [] }
  }

  static func external(_ policy: ExternalChange.Policy) -> WayIn {
    WayIn(name: "another program, \(policy)") { change, beside in
      let test = StoreUnderTest()
      test.bytes = try SnapshotFile.encode(try OrderBook.filled(), as: .json)
      var options = StoreOptions(policy: .manual)
      options.externalChanges = policy
      let store = try test.open(OrderBook.self, options)
      try store.write(beside)
      if policy == .reload { try store.flushAndWait() }
      guard let theirs = try? edited(try test.stored(OrderBook.self), change) else {
        return WayResult(book: store.read { $0 }, isRefused: true)
      }
      test.bytes = try SnapshotFile.encode(theirs, as: .json)
      var result = WayResult(book: OrderBook())
      switch await store.checkFile() {
      case .merged(let outcome, _): result.conflicts = outcome.conflicts
      case .rejected: result.isRefused = true
      default: break
      }
      result.book = store.read { $0 }
      try? await store.close()
      return result
    }
  }

  static let shared = WayIn(name: "shared store") { change, beside in
    let test = StoreUnderTest(savesAtOnce: false)
    test.bytes = try SnapshotFile.encode(try OrderBook.filled(), as: .json)
    let reports = SmallLock<[ExternalChange]>([])
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside())
    options.onExternalChange = { change in reports.withLock { $0.append(change) } }
    let (a, b) = (try test.open(OrderBook.self, options), try test.open(OrderBook.self, options))
    test.settle()
    do { try a.write(change) } catch { return WayResult(book: a.read { $0 }, isRefused: true) }
    try b.write(beside)
    for store in [b, a] { try test.save(store, folding: false) }
    test.settle()
    var result = WayResult(book: a.read { $0 })
    for report in reports.withLock({ $0 }) {
      switch report {
      case .merged(let outcome, _): result.conflicts += outcome.conflicts
      case .rejected: result.isRefused = true
      default: break
      }
    }
    #expect(a.snapshot().value.hasSameRecords(as: b.snapshot().value))
    for store in [a, b] {
      try test.save(store, folding: true)
      try store.closeAndWait()
    }
    return result
  }

  /// A command without the types changes the file of an open store.
  static let untypedShared = WayIn(name: "a command without the types, beside a shared store") {
    change, beside in
    let folder = try TemporaryFolder()
    let url = folder.url("book.json")
    try SnapshotFile.create(try OrderBook.filled(), as: .json, at: url)
    let reports = SmallLock<[ExternalChange]>([])
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside())
    options.onExternalChange = { change in reports.withLock { $0.append(change) } }
    let store = try Store<OrderBook>.open(at: url, options: options)
    try store.write(beside)
    try store.flushAndWait()
    guard let theirs = try? edited(store.read { $0 }, change) else {
      return WayResult(book: store.read { $0 }, isRefused: true)
    }
    let bytes = try SnapshotFile.encode(theirs, as: .json)
    let untyped: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(from: bytes)
    try SnapshotFile.change(UntypedModel.self, at: url) { $0 = untyped }
    _ = await store.checkFile()
    let isRefused = reports.withLock { $0.contains { if case .rejected = $0 { true } else { false } } }
    let result = WayResult(book: store.read { $0 }, isRefused: isRefused)
    try await store.flush()
    try await store.close()
    return result
  }

  /// A journal beside a file that someone has edited meanwhile.
  static let journal = WayIn(name: "a journal at opening") { change, beside in
    let disk = InMemoryFileSystem(directories: ["/dir"])
    disk["/dir/store.json"] = try SnapshotFile.encode(try OrderBook.filled(), as: .json)
    let url = URL(fileURLWithPath: "/dir/store.json")
    let base = disk["/dir/store.json"]
    var options = StoreOptions.journaled(.manual)
    let first = try Store<OrderBook>.open(at: url, options: options, fileSystem: disk, scheduler: ManualScheduler())
    do { try first.write(change) } catch { return WayResult(book: first.read { $0 }, isRefused: true) }
    try first.flushAndWait()
    let copy = disk.copyOfFiles()
    let book = Store(try SnapshotFile.decode(OrderBook.self, from: base ?? []))
    try book.write(beside)
    copy["/dir/store.json"] = try SnapshotFile.encode(book.read { $0 }, as: .json)
    let folder = "/dir/.store.json.generations"
    copy.placeDirectory(folder)
    copy["\(folder)/\(Generation.fileName(number: 1, date: Date(timeIntervalSince1970: 0), of: "store.json"))"] = base
    options.log = { _ in }
    let store = try Store<OrderBook>.open(at: url, options: options, fileSystem: copy, scheduler: ManualScheduler())
    let report = try #require(store.openReport?.journal)
    let result = WayResult(
      book: store.read { $0 }, conflicts: report.outcome?.conflicts ?? [], isRefused: report.refusal != nil)
    try store.closeAndWait()
    return result
  }

  /// A session of a tool with the types.
  static let command = WayIn(name: "a command with the types") { change, beside in
    let folder = try TemporaryFolder()
    let url = folder.url("book.json")
    try SnapshotFile.create(try filled(beside).read { $0 }, as: .json, at: url)
    var isRefused = false
    do {
      try SnapshotFile.change(OrderBook.self, at: url, datingEditsAt: Date()) { try change(&$0.value) }
    } catch {
      isRefused = true
    }
    return WayResult(book: try SnapshotFile.read(at: url), isRefused: isRefused)
  }

  /// The driver of git, and `merge` of a tool with the types.
  static let contents = WayIn(name: "a merge of files") { change, beside in
    let base = try OrderBook.filled()
    let (ours, theirs) = (try filled(beside).read { $0 }, try edited(base, change))
    do {
      let merged = try SnapshotContent.settledMerge(
        base: SnapshotContent(base), ours: SnapshotContent(ours), theirs: SnapshotContent(theirs))
      return WayResult(book: merged.content.value, conflicts: merged.conflicts)
    } catch {
      return WayResult(book: ours, isRefused: true)
    }
  }

  /// Two copies without a known base, as a sync service leaves them.
  static let copies = WayIn(name: "a merge without a base", hasNoBase: true) { change, beside in
    let (ours, theirs) = (try filled(beside), Store(try OrderBook.filled()))
    do {
      try theirs.write(change)
      let merged = try SnapshotContent.settledMerge(
        base: nil, ours: SnapshotContent(ours.read { $0 }), theirs: SnapshotContent(theirs.read { $0 }))
      return WayResult(book: merged.content.value, conflicts: merged.conflicts)
    } catch {
      return WayResult(book: ours.read { $0 }, isRefused: true)
    }
  }
}
