import SnapshotStore

/// Every state that a crash may leave.
extension InMemoryFileSystem {
  /// How many of the possible states of a disk after a crash are made. Below the limits it is every one.
  package struct CrashLimits: Sendable {
    /// Beginnings of what was written to a file since it was synced.
    package var cuts = 8
    /// Changes of directories since they were synced, of which every subset is taken; of more, see `subsets`.
    package var changes = 10
    /// States of all.
    package var states = 4096

    package init(cuts: Int = 8, changes: Int = 10, states: Int = 4096) {
      self.cuts = cuts
      self.changes = changes
      self.states = states
    }
  }

  /// Every state in which a crash at this moment may leave the disk, each as a file system of its own.
  ///
  /// Durable is the content of a file at its last sync, and what the names of a directory led to at the last sync of the
  /// directory. Of later changes of names, any may be there or not, in every combination: POSIX orders nothing that was
  /// not synced, and does not make a name durable with its file. Each change is atomic. A file whose content was not
  /// synced may have a durable name all the same, with what `contentsAfterCrash` says in it.
  ///
  /// The state that no power cut but the death of the process leaves, with all that was done, is among them.
  package func statesAfterCrash(_ limits: CrashLimits = CrashLimits()) -> [InMemoryFileSystem] {
    let state = copyOfState
    let choices = state.files.mapValues { $0.contentsAfterCrash(cuts: limits.cuts) }
    var states: [InMemoryFileSystem] = []
    for entries in state.entriesAfterCrash(limits) {
      for contents in state.contentsAfterCrash(of: entries, choices, limits) where states.count < limits.states {
        states.append(InMemoryFileSystem(state.afterCrash(entries: entries, contents: contents)))
      }
    }
    return states
  }

  /// A file system with the same files, all of them durable, and nothing open.
  package func copyOfFiles() -> InMemoryFileSystem {
    let state = copyOfState
    return InMemoryFileSystem(state.afterCrash(entries: state.entries, contents: [:]))
  }
}

extension InMemoryFileSystem.State {
  /// What the names may lead to: the durable entries with every subset of the changes since.
  fileprivate func entriesAfterCrash(_ limits: InMemoryFileSystem.CrashLimits) -> [[String: InMemoryFileSystem.Entry]] {
    var known: Set<[String: InMemoryFileSystem.Entry]> = []
    return Self.subsets(of: pending.count, limits.changes).compactMap { kept in
      var entries = durableEntries
      for index in kept { pending[index].apply(to: &entries) }
      removeUnreachable(from: &entries)
      return known.insert(entries).inserted ? entries : nil
    }
  }

  /// Every subset; of more elements than the limit, every beginning, all but one, and each one alone.
  private static func subsets(of count: Int, _ limit: Int) -> [[Int]] {
    let all = Array(0..<count)
    if count <= limit { return (0..<1 << count).map { bits in all.filter { bits >> $0 & 1 == 1 } } }
    return (0...count).map { Array(all.prefix($0)) } + all.map { one in all.filter { $0 != one } } + all.map { [$0] }
  }

  /// What is in a directory that is not there is not there either.
  private func removeUnreachable(from entries: inout [String: InMemoryFileSystem.Entry]) {
    for (directory, entry) in self.entries where entry == .directory && entries[directory] == nil {
      for path in entries.keys where path.hasPrefix(directory + "/") { entries[path] = nil }
    }
  }

  /// What the files with a name may hold: every combination. If these are too many, each file in turn, with all of the
  /// others as they were synced, and as they were written.
  fileprivate func contentsAfterCrash(
    of entries: [String: InMemoryFileSystem.Entry], _ choices: [UInt64: [[UInt8]]],
    _ limits: InMemoryFileSystem.CrashLimits
  ) -> [[UInt64: [UInt8]]] {
    let inodes = Set(entries.values.compactMap { if case .file(let inode) = $0 { inode } else { nil } }).sorted()
    let choices = inodes.map { (inode: $0, contents: choices[$0] ?? []) }
    let product = choices.reduce(1) { min($0, limits.states) * max(1, $1.contents.count) }
    if product <= limits.states {
      return choices.reduce([[:]]) { partial, choice in
        partial.flatMap { known in choice.contents.map { known.merging([choice.inode: $0]) { $1 } } }
      }
    }
    let synced = choices.reduce(into: [UInt64: [UInt8]]()) { $0[$1.inode] = $1.contents.first }
    let written = inodes.reduce(into: [UInt64: [UInt8]]()) { $0[$1] = files[$1]?.bytes }
    return choices.flatMap { choice in
      choice.contents.flatMap { content in
        [synced, written].map { $0.merging([choice.inode: content]) { $1 } }
      }
    }
  }
}
