import Foundation
import SnapshotNotebook
import SnapshotStore
import Synchronization

/// Changes that are durable one by one, with a journal, compared with SQLite.
func journalRows() -> [BenchmarkRow] {
  let peer = "GRDB UPDATE, WAL, synchronous=FULL"
  return [
    BenchmarkRow(
      "durable-one",
      "A transaction that changes text and sort date of one note, until it is on the disk; with a journal.",
      unit: .microseconds, peer: peer, target: 1.2, measure: durableOne),
    BenchmarkRow(
      "durable-8-threads", "The same by eight threads at once, for each change.",
      unit: .microseconds, peer: peer, target: 3, measure: durableByThreads),
    BenchmarkRow(
      "bytes-per-change", "Bytes sent to the disk for each of 10,000 such changes, with folds and closing.",
      unit: .megabytes, peer: peer + ", checkpoints and closing", target: 1, mostRounds: 1, measure: bytesPerChange),
    BenchmarkRow(
      "save.cpu", "Processor time of a save after one change, with a journal.",
      unit: .milliseconds, peer: "the same without a journal", target: 100, mostRounds: 3, measure: processorTimeOfSave),
    BenchmarkRow(
      "open.journal", "Opening for reading with a journal that is almost at its limit.",
      unit: .milliseconds, peer: "opening without a journal", target: 0.85, measure: openWithJournal
    ).keepingMemory(),
  ]
}

private func durableOne(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let (store, database) = try (journaledStore(work), durableDatabase(work))
  let ids = work.randomIDs(1_000, purpose: 21)
  var number = 0
  let measurement = try alternating(rounds: rounds) {
    number += 1
    return try seconds { for id in ids { try change(id, number, in: store) } } / Double(ids.count)
  } peer: {
    try seconds { for id in ids { try change(id, number, in: database) } } / Double(ids.count)
  }
  try store.closeAndWait()
  try database.pool.close()
  return measurement
}

private func durableByThreads(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let (store, database) = try (journaledStore(work), durableDatabase(work))
  let parts = (0..<8).map { work.randomIDs(250, purpose: 30 + UInt64($0)) }
  let count = parts.reduce(0) { $0 + $1.count }
  var number = 0
  let measurement = try alternating(rounds: rounds) {
    number += 1
    let number = number
    return try seconds { try onThreads(parts) { try change($0, number, in: store) } } / Double(count)
  } peer: {
    let number = number
    return try seconds { try onThreads(parts) { try change($0, number, in: database) } } / Double(count)
  }
  let saves = store.status.saves
  try store.closeAndWait()
  try database.pool.close()
  return Measurement(
    ours: measurement.ours, peer: measurement.peer, remark: "\(rounds * count) changes in \(saves) saves")
}

private func bytesPerChange(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let count = min(10_000, work.count * 10)
  let ids = work.randomIDs(count, purpose: 22)
  func measured(_ body: () throws -> Void) throws -> Double {
    let before = try ProcessUsage.bytesToDisks()
    try body()
    return Double(try ProcessUsage.bytesToDisks() - before) / Double(count)
  }
  let (store, database) = try (journaledStore(work), durableDatabase(work))
  let ours = try measured {
    for id in ids { try change(id, 1, in: store) }
    try store.closeAndWait()
  }
  let peer = try measured {
    for id in ids { try change(id, 1, in: database) }
    try database.pool.close()
  }
  return Measurement(ours: ours, peer: peer, remark: "\(store.status.folds) folds")
}

private func processorTimeOfSave(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let journaled = try journaledStore(work)
  let plain = try Store<Notebook>.open(at: work.copy(of: work.file(.json)), options: StoreOptions(policy: .manual))
  let ids = work.randomIDs(100, purpose: 23)
  // The first save without a journal cannot copy anything of the file.
  try change(ids[0], 0, in: plain)
  var number = 0
  let measurement = try alternating(rounds: rounds) {
    number += 1
    // Many, because one takes less than the clock of processor time tells.
    return try processorSeconds { for id in ids { try change(id, number, in: journaled) } } / Double(ids.count)
  } peer: {
    try processorSeconds { try change(ids[number % ids.count], number, in: plain) }
  }
  try journaled.closeAndWait()
  try plain.closeAndWait()
  return measurement
}

private func openWithJournal(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let plain = try work.file(.json)
  let journaled = try work.copy(of: plain)
  let store = try Store<Notebook>.open(at: journaled, options: StoreOptions(policy: .manual, journal: .beside()))
  let size = try Data(contentsOf: journaled).count
  let limit = max(1 << 20, size / 8) * 9 / 10
  for id in work.randomIDs(work.count, purpose: 24) where store.status.journalBytes < limit {
    try change(id, 1, in: store)
  }
  let options = StoreOptions(policy: .readOnly)
  let measurement = try alternating(rounds: rounds) {
    let (opened, time) = try timed { try Store<Notebook>.open(at: journaled, options: options) }
    try requireEqual(opened.openReport?.journal?.changes, store.status.saves, "the changes in the journal")
    waitForIndexes(opened)
    return time
  } peer: {
    let (opened, time) = try timed { try Store<Notebook>.open(at: plain, options: options) }
    try requireEqual(opened.read { $0.notes.count }, work.count, "the notes")
    waitForIndexes(opened)
    return time
  }
  let (bytes, saves) = (store.status.journalBytes, store.status.saves)
  try store.closeAndWait()
  return Measurement(ours: measurement.ours, peer: measurement.peer, remark: "\(saves) changes, \(bytes) bytes")
}

// MARK: - Both sides

/// A store with a journal that has its first line.
private func journaledStore(_ work: Workload) throws -> Store<Notebook> {
  let store = try Store<Notebook>.open(
    at: work.copy(of: work.file(.json)), options: StoreOptions(policy: .manual, journal: .beside()))
  try change(work.notes[0].id, 0, in: store)
  return store
}

private func durableDatabase(_ work: Workload) throws -> GRDBNotebook {
  let database = try GRDBNotebook(at: work.copy(of: work.database()), isDurable: true)
  try change(work.notes[0].id, 0, in: database)
  return database
}

private func change(_ id: Note.ID, _ number: Int, in store: Store<Notebook>) throws {
  try store.change(id, number)
  try store.flushAndWait()
}

private func change(_ id: Note.ID, _ number: Int, in database: GRDBNotebook) throws {
  try database.change(id, number)
}

/// Runs `body` for every id, each part on a thread of its own.
private func onThreads(_ parts: [[Note.ID]], _ body: @escaping @Sendable (Note.ID) throws -> Void) throws {
  let failure = Mutex<(any Error)?>(nil)
  let group = DispatchGroup()
  for ids in parts {
    group.enter()
    Thread.detachNewThread {
      do { for id in ids { try body(id) } } catch { failure.withLock { $0 = error } }
      group.leave()
    }
  }
  group.wait()
  if let error = failure.withLock({ $0 }) { throw error }
}
