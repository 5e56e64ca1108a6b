import Dispatch
import Foundation
import GRDB
import SnapshotNotebook
import SnapshotStore

/// Live queries: the cost of their beginning, of a commit that touches them, and of one that does not.
func liveRows() -> [BenchmarkRow] {
  [
    BenchmarkRow(
      "live.first", "The list of all notes, newest first, in sections by year.", unit: .milliseconds,
      peer: "GRDB, ids only, ORDER BY an index", target: 0.5, measure: first),
    BenchmarkRow(
      "live.commit", "A note gets a new text and becomes the newest; until a follower of all notes has the batch.",
      unit: .microseconds, peer: "GRDB UPDATE, the ids again, difference(from:)", target: 100, measure: matching),
    BenchmarkRow(
      "live.untouched", "The same change where 100 live queries wait that do not match.", unit: .microseconds,
      peer: "GRDB UPDATE with 100 ValueObservations of the table", target: 10, measure: untouched),
  ]
}

private typealias Notes = LiveList<Note, Int>.Updates

private func notes(of store: Store<Notebook>) -> Notes {
  store.observe(
    \.notes, sortedBy: \.sortDate, order: .descending,
    sectionedBy: { Int($0.sortDate.timeIntervalSinceReferenceDate / 31_557_600) }, sectionOrder: .descending)
}

private func first(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let store = Store(work.notebook)
  let database = try GRDBNotebook(at: work.copy(of: work.database()))
  var ourIDs: [Int64] = []
  var peerIDs: [Int64] = []
  let measurement = try alternating(rounds: rounds) {
    let (list, time) = timed { notes(of: store).current() }
    ourIDs = list.map(\.id)
    return time
  } peer: {
    try seconds { peerIDs = try database.idsByDate() }
  }
  try requireEqual(ourIDs, peerIDs, "ids of the list")
  try database.pool.close()
  return measurement
}

private func matching(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let store = Store(work.notebook)
  let database = try GRDBNotebook(at: work.copy(of: work.database()))
  let ids = work.randomIDs(200, purpose: 30)
  let delivered = DispatchSemaphore(value: 0)
  let updates = notes(of: store)
  let follower = Task { for await _ in updates { delivered.signal() } }
  delivered.wait()
  var number = 0
  var peerIDs = try database.idsByDate()
  let measurement = try alternating(rounds: rounds) {
    try seconds {
      for id in ids {
        number += 1
        try store.change(id, number)
        delivered.wait()
      }
    } / Double(ids.count)
  } peer: {
    let some = ids.prefix(5)
    return try seconds {
      for id in some {
        number += 1
        try database.change(id, number)
        let ids = try database.idsByDate()
        if ids.difference(from: peerIDs).isEmpty { throw BenchmarkFailure("nothing has changed") }
        peerIDs = ids
      }
    } / Double(some.count)
  }
  follower.cancel()
  try database.pool.close()
  return measurement
}

private func untouched(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let store = Store(work.notebook)
  let database = try GRDBNotebook(at: work.copy(of: work.database()))
  let ids = work.randomIDs(1_000, purpose: 31)
  let started = DispatchSemaphore(value: 0)
  let followers = (0..<100).map { number in
    // No note has this id.
    let updates = store.observe(\.notes, where: { $0.id == -1 - Int64(number) }, sortedBy: \.sortDate, limit: 50)
    return Task { for await _ in updates { started.signal() } }
  }
  let queue = DispatchQueue(label: "observations")
  let observations = (0..<100).map { number in
    ValueObservation.tracking { db in
      try Int64.fetchAll(
        db, sql: "SELECT id FROM note WHERE id = ? ORDER BY sortDate LIMIT 50", arguments: [-1 - number])
    }.start(
      in: database.pool, scheduling: .async(onQueue: queue), onError: { _ in }, onChange: { _ in started.signal() })
  }
  for _ in 0..<200 { started.wait() }
  var number = 0
  let measurement = try alternating(rounds: rounds) {
    try seconds {
      for id in ids {
        number += 1
        try store.change(id, number)
      }
    } / Double(ids.count)
  } peer: {
    let some = ids.prefix(100)
    return try seconds {
      for id in some {
        number += 1
        try database.change(id, number)
      }
    } / Double(some.count)
  }
  followers.forEach { $0.cancel() }
  observations.forEach { $0.cancel() }
  return measurement
}
