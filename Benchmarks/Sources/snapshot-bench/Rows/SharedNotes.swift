import Foundation
import SnapshotNotebook
import SnapshotStore

/// Notes in a file that a process has open, maybe beside others.
enum SharedNotes {
  case store(Store<Notebook>)
  case database(GRDBNotebook)

  enum Kind: String {
    /// A shared store with a journal.
    case journaled
    /// A shared store without a journal.
    case whole
    /// A store with a journal that has the file alone.
    case alone
    /// A database in which a transaction is on the disk when its call returns.
    case database
  }

  init(_ kind: Kind, at url: URL) throws {
    let options =
      switch kind {
      case .journaled: StoreOptions(policy: .manual, access: .shared, journal: .beside())
      case .whole: StoreOptions(policy: .manual, access: .shared)
      case .alone: StoreOptions(policy: .manual, journal: .beside())
      case .database: nil as StoreOptions?
      }
    if let options {
      self = .store(try Store<Notebook>.open(at: url, options: options))
    } else {
      self = .database(try GRDBNotebook(at: url, isDurable: true, isShared: true))
    }
  }

  /// Changes a note, and waits until the change is on the disk.
  ///
  /// - Returns: the moment when a store had it in memory; for a database, the moment before the change.
  func change(_ id: Note.ID, _ number: Int) throws -> Int {
    switch self {
    case .store(let store):
      try store.change(id, number)
      let made = Self.now()
      try store.flushAndWait()
      return made
    case .database(let database):
      let begun = Self.now()
      try database.change(id, number)
      return begun
    }
  }

  func content() throws -> NotesContent {
    switch self {
    case .store(let store): store.read { NotesContent($0.notes.lazy.map { ($0.id, $0.text, $0.sortDate) }) }
    case .database(let database): NotesContent(try database.allNotes().lazy.map { ($0.id, $0.text, $0.sortDate) })
    }
  }

  func close() throws {
    switch self {
    case .store(let store): try store.closeAndWait()
    case .database(let database): try database.pool.close()
    }
  }

  /// The time of the machine in nanoseconds. All processes have the same.
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// The number of notes and a sum over their ids, texts and sort dates, in any order.
struct NotesContent: Equatable {
  private(set) var count = 0
  private(set) var sum: UInt64 = 0

  init(_ notes: some Sequence<(Int64, String, Date)>) {
    for (id, text, sortDate) in notes {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      func add(_ value: UInt64) { hash = (hash ^ value) &* 0x100_0000_01B3 }
      add(UInt64(bitPattern: id))
      add(sortDate.timeIntervalSinceReferenceDate.bitPattern)
      for byte in text.utf8 { add(UInt64(byte)) }
      count += 1
      sum &+= hash
    }
  }

  /// From the answer of a process.
  init(count: Int, sum: Int) { (self.count, self.sum) = (count, UInt64(bitPattern: Int64(sum))) }
}

extension Workload {
  /// The content after changes of notes: the number of the last change of each.
  func content(changing changes: [Note.ID: Int]) -> NotesContent {
    NotesContent(
      notes.lazy.map { note in
        guard let change = changes[note.id].map(NoteChange.init) else { return (note.id, note.text, note.sortDate) }
        return (note.id, change.text, change.date)
      })
  }
}
