/// Entries that are told of something, each under a number of its own, until it is removed or nothing more will come.
///
/// A value, so that the owner guards it with the lock that it has. Take entries out of the lock before calling them.
struct Registry<Entry: Sendable>: Sendable {
  /// The entries by their numbers.
  private(set) var entries: [Int: Entry] = [:]
  /// The entries, in no order.
  var all: [Entry] { entries.isEmpty ? [] : Array(entries.values) }
  private var isFinished = false
  private var lastID = 0

  /// Adds an entry, unless nothing more will come.
  ///
  /// - Returns: what `remove` takes; nil if nothing more will come.
  mutating func add(_ entry: Entry) -> Int? { isFinished ? nil : insert(entry) }

  /// Adds an entry to a registry that is never finished.
  mutating func insert(_ entry: Entry) -> Int {
    lastID += 1
    entries[lastID] = entry
    return lastID
  }

  /// Removes an entry. The caller frees it outside its lock: that may be the end of an object which calls `remove`.
  mutating func remove(_ id: Int) -> Entry? { entries.removeValue(forKey: id) }

  /// Removes all entries. Nothing more will come.
  mutating func finish() -> [Entry] {
    isFinished = true
    defer { entries = [:] }
    return Array(entries.values)
  }
}
