import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Ways in that begin in a file.
extension WayIn {
  static func external(_ policy: ExternalChange.Policy) -> WayIn {
    WayIn(name: "another program, \(policy)", origin: .file, colours: 2, keepsRefused: true) { change, beside in
      let test = StoreUnderTest()
      test.bytes = try OrderBook.filled().file()
      var options = StoreOptions(policy: .manual)
      options.externalChanges = policy
      let store = try test.open(OrderBook.self, options)
      let witness = Witness(of: store)
      try store.write(beside)
      if policy == .reload { try store.flushAndWait() }
      guard let theirs = try? edited(try SnapshotFile.decodeContent(from: test.bytes ?? []).value, change) else {
        return WayResult(book: store.read { $0 }, isRefused: true)
      }
      test.bytes = try theirs.foreignFile()
      var (conflicts, isRefused): ([MergeConflict], Bool) = ([], false)
      switch await store.checkFile() {
      case .merged(let outcome, _): conflicts = outcome.conflicts
      case .rejected: isRefused = true
      default: break
      }
      var result = witness.result(conflicts: conflicts, isRefused: isRefused)
      try? await store.close()
      result.add(test.path, in: test.fileSystem)
      return result
    }
  }

  static let shared = WayIn(name: "shared store", origin: .file, colours: 1, keepsRefused: true) { change, beside in
    let test = StoreUnderTest(savesAtOnce: false)
    test.bytes = try OrderBook.filled().file()
    let reports = SmallLock<[ExternalChange]>([])
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside())
    options.onExternalChange = { change in reports.withLock { $0.append(change) } }
    let (a, b) = (try test.open(OrderBook.self, options), try test.open(OrderBook.self, options))
    let witness = Witness(of: a)
    test.settle()
    do { try a.write(change) } catch { return WayResult(book: a.read { $0 }, isRefused: true) }
    try b.write(beside)
    for store in [b, a] { try test.save(store, folding: false) }
    test.settle()
    #expect(a.snapshot().value.hasSameRecords(as: b.snapshot().value))
    let all = reports.withLock { $0 }
    var result = witness.result(
      conflicts: all.flatMap { change -> [MergeConflict] in
        if case .merged(let outcome, _) = change { outcome.conflicts } else { [] }
      },
      isRefused: all.contains { if case .rejected = $0 { true } else { false } })
    for store in [a, b] {
      try test.save(store, folding: true)
      try store.closeAndWait()
    }
    result.add(test.path, in: test.fileSystem)
    return result
  }

  /// A command without the types changes the file of an open store.
  static let untypedShared = WayIn(
    name: "a command without the types, beside a shared store", origin: .file, colours: 2, keepsRefused: true
  ) { change, beside in
    let folder = try TemporaryFolder()
    let url = folder.url("book.json")
    try Data(OrderBook.filled().file()).write(to: url)
    let reports = SmallLock<[ExternalChange]>([])
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside())
    options.onExternalChange = { change in reports.withLock { $0.append(change) } }
    let store = try Store<OrderBook>.open(at: url, options: options)
    let witness = Witness(of: store)
    try store.write(beside)
    try store.flushAndWait()
    guard let theirs = try? edited(store.read { $0 }, change) else {
      return WayResult(book: store.read { $0 }, isRefused: true)
    }
    let untyped: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(from: theirs.foreignFile())
    try SnapshotFile.change(UntypedModel.self, at: url) { $0 = untyped }
    _ = await store.checkFile()
    let isRefused = reports.withLock { $0.contains { if case .rejected = $0 { true } else { false } } }
    var result = witness.result(isRefused: isRefused)
    try await store.flush(folding: true)
    try await store.close()
    try result.add(url)
    return result
  }

  /// A journal beside a file that someone has edited meanwhile.
  static let journal = WayIn(name: "a journal at opening", colours: 2, keepsRefused: true) { change, beside in
    let disk = InMemoryFileSystem(directories: ["/dir"])
    let base = try OrderBook.filled().file()
    disk["/dir/store.json"] = base
    let url = URL(fileURLWithPath: "/dir/store.json")
    var options = StoreOptions.journaled(.manual)
    let first = try Store<OrderBook>.open(at: url, options: options, fileSystem: disk, scheduler: ManualScheduler())
    do { try first.write(change) } catch { return WayResult(book: first.read { $0 }, isRefused: true) }
    try first.flushAndWait()
    let copy = disk.copyOfFiles()
    let book = Store(try SnapshotFile.decodeContent(OrderBook.self, from: base).value)
    try book.write(beside)
    copy["/dir/store.json"] = try book.read { $0 }.foreignFile()
    let folder = "/dir/.store.json.generations"
    copy.placeDirectory(folder)
    copy["\(folder)/\(Generation.fileName(number: 1, date: Date(timeIntervalSince1970: 0), of: "store.json"))"] = base
    options.log = { _ in }
    let store = try Store<OrderBook>.open(at: url, options: options, fileSystem: copy, scheduler: ManualScheduler())
    let report = try #require(store.openReport?.journal)
    var result = Witness(of: store).result(
      conflicts: report.outcome?.conflicts ?? [], isRefused: report.refusal != nil)
    try await store.flush(folding: true)
    try await store.close()
    result.add(url.path, in: copy)
    return result
  }

  /// A session of a tool with the types.
  static let command = WayIn(name: "a command with the types", colours: 1) { change, beside in
    let folder = try TemporaryFolder()
    let url = folder.url("book.json")
    try Data(filled(beside).read { $0 }.file()).write(to: url)
    var isRefused = false
    do {
      try SnapshotFile.change(OrderBook.self, at: url, datingEditsAt: Date()) { try change(&$0.value) }
    } catch {
      isRefused = true
    }
    var result = WayResult(book: try SnapshotFile.readContent(at: url).value, isRefused: isRefused)
    try result.add(url)
    return result
  }

  /// The driver of git, and `merge` of a tool with the types.
  static let contents = merge("a merge of files", base: { try OrderBook.filled().content() })

  /// Two copies without a known base, as a sync service leaves them.
  static let copies = merge("a merge without a base", base: { nil })

  private static func merge(
    _ name: String, base: @escaping @Sendable () throws -> SnapshotContent<OrderBook>?
  ) -> WayIn {
    WayIn(name: name, hasNoBase: (try? base()) == nil, colours: 2) { change, beside in
      let ours = try filled(beside).read { $0 }
      let start = try OrderBook.filled()
      do {
        let theirs = if try base() == nil { try filled(change).read { $0 } } else { try edited(start, change) }
        let merged = try SnapshotContent.settledMerge(
          base: base(), ours: ours.content(), theirs: theirs.content(coloured: ["dear", "new"]))
        return WayResult(book: merged.content.value, conflicts: merged.conflicts, file: merged.content)
      } catch {
        return WayResult(book: ours, isRefused: true)
      }
    }
  }
}
