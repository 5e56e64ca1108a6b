import SnapshotStore

/// The effects of a sync.
extension InMemoryFileSystem {
  /// A file: its content as processes see it, and the content that is certain to outlive a crash.
  struct File {
    private(set) var bytes: [UInt8] = []
    var mode: UInt32 = 0o600
    var owner: UInt32 = 0
    var modified: Int64 = 0
    /// The content at the last sync.
    private var durable: [UInt8] = []
    /// The writes since, in order.
    private var unsynced: [Write] = []

    struct Write {
      let offset: Int
      var bytes: ArraySlice<UInt8>
      /// After a failed sync, the kernel may take the pages for written, and let the next sync succeed. So only what is
      /// written once more becomes durable.
      var isDropped = false

      var range: Range<Int> { offset..<offset + bytes.count }
    }

    /// Overwrites existing bytes, and extends the file after them.
    mutating func write(_ new: ArraySlice<UInt8>, at position: Int) {
      // Zeros behind the end only make the file longer. After a crash it may be so with every content.
      if position < bytes.count || new.contains(where: { $0 != 0 }) {
        unsynced.append(Write(offset: position, bytes: new))
      }
      bytes.overwrite(new, at: position)
    }

    /// Sets the content, durably.
    mutating func place(_ new: [UInt8]) {
      bytes = new
      durable = new
      unsynced = []
    }

    mutating func sync() {
      for write in unsynced where !write.isDropped { durable.overwrite(write.bytes, at: write.offset) }
      unsynced.removeAll { write in
        !write.isDropped || durable.count >= write.range.upperBound && durable[write.range] == bytes[write.range]
      }
      // The pages have what was written to them since, too.
      for index in unsynced.indices { unsynced[index].bytes = bytes[unsynced[index].range] }
      if unsynced.isEmpty { durable = bytes }
    }

    mutating func syncFailed() {
      for index in unsynced.indices { unsynced[index].isDropped = true }
    }
  }

  /// One operation on a directory: names with a new target, or none. A rename changes two names in one step.
  struct DirectoryChange {
    let directory: String
    var names: [(path: String, entry: Entry?)]

    func apply(to entries: inout [String: Entry]) {
      for (path, entry) in names { entries[path] = entry }
    }
  }
}

extension InMemoryFileSystem.File {
  /// The possible contents of the file after a crash.
  ///
  /// These are the durable content with any prefix of the writes since. Each of these also occurs at full length with
  /// zeros for the missing bytes: with delayed allocation, the length may be stored before the data. The last one is
  /// the end without the beginning, since pages are written in any order.
  ///
  /// - Parameter cuts: the number of prefixes, evenly spread. The empty and the full one are among them, and from four
  ///   on those that differ from them by a byte.
  func contentsAfterCrash(cuts: Int) -> [[UInt8]] {
    let count = unsynced.reduce(0) { $0 + $1.bytes.count }
    if count == 0, durable.count == bytes.count { return [durable] }
    var contents: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    let add = { (content: [UInt8]) in if known.insert(content).inserted { contents.append(content) } }
    for cut in Self.cuts(of: count, atMost: cuts) {
      let content = content(withUnsynced: 0..<cut)
      add(content)
      add(content + [UInt8](repeating: 0, count: max(0, bytes.count - content.count)))
    }
    add(content(withUnsynced: count / 2..<count))
    return contents
  }

  private static func cuts(of count: Int, atMost limit: Int) -> [Int] {
    if count < limit { return Array(0...count) }
    if limit < 4 { return [0, count / 2, count] }
    let spread = stride(from: 0, through: count, by: max(1, count / max(1, limit - 3)))
    return Set(spread).union([0, 1, count - 1, count]).sorted()
  }

  /// The durable content with some of the bytes that were written since.
  private func content(withUnsynced range: Range<Int>) -> [UInt8] {
    var content = durable
    var start = 0
    for write in unsynced {
      let part = range.clamped(to: start..<start + write.bytes.count)
      let place = write.offset + part.lowerBound - start
      let bytes = write.bytes.dropFirst(part.lowerBound - start).prefix(part.count)
      if !part.isEmpty { content.overwrite(bytes, at: place) }
      start += write.bytes.count
    }
    return content
  }
}

extension [UInt8] {
  /// Overwrites existing bytes, and extends the content; a gap is filled with zeros.
  fileprivate mutating func overwrite(_ new: ArraySlice<UInt8>, at position: Int) {
    if position > count { append(contentsOf: repeatElement(0, count: position - count)) }
    replaceSubrange(position..<Swift.min(count, position + new.count), with: new)
  }
}
