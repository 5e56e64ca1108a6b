import Foundation
import SnapshotNotebook
import SnapshotStore
import Synchronization

/// The longest of many single writes while half a million records are changed concurrently.
func stallBesideRows() -> [BenchmarkRow] {
  [
    row("stall.background-block", "a background block that adds 500,000 records") { store, count in
      let isDone = DispatchSemaphore(value: 0)
      let outcome = Mutex<Result<Void, any Error>>(.success(()))
      store.performBackground { messages in
        for number in 0..<count { try messages.list.insert(Message(2 * number + 1)) }
      } completion: { result in
        outcome.withLock { $0 = result }
        isDone.signal()
      }
      isDone.wait()
      try outcome.withLock { $0 }.get()
    },
    row("stall.import", "`importRecords` of 500,000 records") { store, count in
      try store.importRecords((0..<count).lazy.map { Message(2 * $0 + 1) }, into: \.list)
    },
    row("stall.scratchpad", "a scratchpad commit of 500,000 records") { store, count in
      let pad = store.scratchpad()
      try pad.write { messages in
        for number in 0..<count { try messages.list.insert(Message(2 * number + 1)) }
      }
      try pad.commit()
    },
    BenchmarkRow(
      "stall.notebook-import",
      "The longest write of one note while 500,000 notes (five times the number of notes) are imported in a background block.",
      unit: .milliseconds, peer: "nothing meanwhile", target: nil, mostRounds: 1
    ) { work, _ in
      let store = Store(work.notebook)
      let ids = work.randomIDs(1_000, purpose: 12)
      let (before, count) = (work.count, work.count * 5)
      return try worstWrites(of: { number in
        try store.write { _ = try $0.setText("changed \(number)", of: ids[number % ids.count]) }
      }) {
        let isDone = DispatchSemaphore(value: 0)
        let outcome = Mutex<Result<Void, any Error>>(.success(()))
        store.performBackground { notebook in
          try notebook.importNotes(
            (0..<count).lazy.map { ForeignNote(text: "Note \($0)", tagNames: ["imported"], place: "row \($0)") })
        } completion: { result in
          outcome.withLock { $0 = result.map { _ in } }
          isDone.signal()
        }
        isDone.wait()
        try outcome.withLock { $0 }.get()
        try requireEqual(store.read { $0.notes.count }, before + count, "notes")
      }
    },
  ]
}

private func row(
  _ name: String, _ what: String, _ change: @escaping @Sendable (Store<Messages>, Int) throws -> Void
) -> BenchmarkRow {
  BenchmarkRow(
    name, "The longest write of one record beside \(what) (five times the number of notes), in a store of as many.",
    unit: .milliseconds, peer: "nothing meanwhile", target: nil, mostRounds: 1
  ) { work, _ in
    let count = work.count * 5
    let store = Store<Messages>()
    try store.write { $0.list = try Table((0..<count).map { Message(2 * $0) }) }
    return try worstWrites(of: { number in
      try store.write { try $0.list.update(2 * (number * 7_919 % count)) { $0.text = "changed \(number)" } }
    }) {
      try change(store, count)
      try requireEqual(store.read { $0.list.count }, 2 * count, "records")
    }
  }
}

/// The longest of this thread's writes, one each half a millisecond, while `body` runs on another thread. Also the
/// longest of as many writes with nothing beside them.
private func worstWrites(of write: (Int) throws -> Void, _ body: @escaping @Sendable () throws -> Void) throws
  -> Measurement
{
  var number = 0
  func times(while goesOn: () -> Bool) throws -> Latencies {
    var times: [Double] = []
    repeat {
      number += 1
      times.append(try seconds { try write(number) })
      Thread.sleep(forTimeInterval: 0.0005)
    } while goesOn()
    return Latencies(times)
  }
  var rest = 2_000
  let quiet = try times {
    rest -= 1
    return rest > 0
  }
  let outcome = Mutex<Result<Void, any Error>>(.success(()))
  let end = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    let result = Result { try body() }
    outcome.withLock { $0 = result }
    end.signal()
  }
  let busy = try times { end.wait(timeout: .now()) != .success }
  try outcome.withLock { $0 }.get()
  return Measurement(ours: busy.max, peer: quiet.max, remark: "99.9 % within \(busy.percentile(99.9) * 1_000) ms")
}

/// A record with an index, for concurrent changes.
private struct Message: SnapshotStore.Record {
  let id: Int
  var text: String
  var day: Int

  init(_ id: Int) { (self.id, text, day) = (id, "Message \(id), of some length as messages are", id % 365) }

  static var indexes: Indexes<Self> { Indexes(Index("day") { $0.day }) }
}

private struct Messages: Model {
  var list = Table<Message>()
  static let schema = Schema<Messages>("messages", version: 1, Field("list", \.list))
}
