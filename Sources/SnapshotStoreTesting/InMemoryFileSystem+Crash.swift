import SnapshotStore

/// All possible states after a crash.
extension InMemoryFileSystem {
  /// Limits for the number of states after a crash. Below the limits all states are made.
  package struct CrashLimits: Sendable {
    /// The number of prefixes of the writes to a file since its last sync.
    package var cuts = 8
    /// The number of changes of directories since their last sync of which every subset is taken; for more, see
    /// `subsets`.
    package var changes = 10
    /// The number of states.
    package var states = 4096

    package init(cuts: Int = 8, changes: Int = 10, states: Int = 4096) {
      self.cuts = cuts
      self.changes = changes
      self.states = states
    }
  }

  /// Every possible state of the disk after a crash at this moment, each as a file system of its own.
  ///
  /// The content of a file at its last sync is durable. So are the targets of a directory's names at its last sync.
  /// Later changes of names may be there or not, in every combination. POSIX gives no order to changes that were not
  /// synced, and does not make a name durable with its file. Each change is atomic. A file whose content was not synced
  /// may still have a durable name, with one of the contents of `contentsAfterCrash`.
  ///
  /// The state with all changes is included. Only the death of the process leaves it, not a power cut.
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

  /// A file system with the same files, all of them durable, and without open files.
  package func copyOfFiles() -> InMemoryFileSystem {
    let state = copyOfState
    return InMemoryFileSystem(state.afterCrash(entries: state.entries, contents: [:]))
  }
}

extension InMemoryFileSystem.State {
  /// The possible targets of the names: the durable entries with every subset of the changes since.
  fileprivate func entriesAfterCrash(_ limits: InMemoryFileSystem.CrashLimits) -> [[String: InMemoryFileSystem.Entry]] {
    var known: Set<[String: InMemoryFileSystem.Entry]> = []
    return Self.subsets(of: pending.count, limits.changes).compactMap { kept in
      var entries = durableEntries
      for index in kept { pending[index].apply(to: &entries) }
      removeUnreachable(from: &entries)
      return known.insert(entries).inserted ? entries : nil
    }
  }

  /// Every subset. For more elements than the limit: every prefix, all but one, and each one alone.
  private static func subsets(of count: Int, _ limit: Int) -> [[Int]] {
    let all = Array(0..<count)
    if count <= limit { return (0..<1 << count).map { bits in all.filter { bits >> $0 & 1 == 1 } } }
    return (0...count).map { Array(all.prefix($0)) } + all.map { one in all.filter { $0 != one } } + all.map { [$0] }
  }

  /// The content of a missing directory is missing too.
  private func removeUnreachable(from entries: inout [String: InMemoryFileSystem.Entry]) {
    for (directory, entry) in self.entries where entry == .directory && entries[directory] == nil {
      for path in entries.keys where path.hasPrefix(directory + "/") { entries[path] = nil }
    }
  }

  /// The possible contents of the files with a name, in every combination. If these are too many, each file in turn,
  /// with all others as synced, and as written.
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
