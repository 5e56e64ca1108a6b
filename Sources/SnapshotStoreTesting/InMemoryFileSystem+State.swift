import SnapshotStore

/// Files, folders and their names.
extension InMemoryFileSystem {
  enum Entry: Hashable {
    case directory
    case file(inode: UInt64)
    case link(to: String)
  }

  struct Open {
    var path: String
    let inode: UInt64?
    var position = 0
    var isLocked = false
    /// Whether a sync of the same file has failed elsewhere. The next sync of this one tells of it, as that of Linux.
    var hasMissedFailure = false

    /// A directory has no number, and is identified by its path.
    func isSameFile(as other: Open) -> Bool { inode == other.inode && (inode != nil || path == other.path) }
  }

  struct State {
    /// The targets of the names. They change only through `change` and `place`, so that the durable ones are updated
    /// too.
    private(set) var entries: [String: Entry] = ["/": .directory]
    /// The targets that are certain after a crash.
    private(set) var durableEntries: [String: Entry] = ["/": .directory]
    /// The changes whose directory was not synced since, in order.
    private(set) var pending: [DirectoryChange] = []
    var files: [UInt64: File] = [:]
    var open: [Int32: Open] = [:]
    /// The numbers of directories that have taken the place of others, or were moved. The others have 0.
    var directoryNumbers: [String: UInt64] = [:]
    /// How often each file was opened, linked, moved or removed, or changed by a test.
    private(set) var uses: [UInt64: Int] = [:]
    /// How often each file got or lost a name.
    private var nameChanges: [UInt64: Int64] = [:]
    /// Whether `watchUse` gives a watch.
    var tellsOfUse = true
    var calls: [Call] = []
    var lastNumber: Int32 = 2
    var lastInode: UInt64 = 0
    var time: Int64 = 0
    var event: (@Sendable (Call) -> Event?)?
    var isCrashed = false
    var writeLimit = Int.max
    /// The limit for the next write only.
    var nextWriteLimit = Int.max
    /// Whether the next sync does nothing.
    var ignoresSync = false
  }
}

extension InMemoryFileSystem.State {
  /// Changes names of one directory in one step. A crash reverts the step as a whole or not at all.
  mutating func change(_ directory: String, _ names: [(path: String, entry: InMemoryFileSystem.Entry?)]) {
    for (path, entry) in names {
      for case .file(let inode)? in [entries[path], entry] { nameChanges[inode, default: 0] += 1 }
      noteUse(of: entries[path])
      noteUse(of: entry)
      entries[path] = entry
    }
    pending.append(InMemoryFileSystem.DirectoryChange(directory: directory, names: names))
  }

  /// Puts an entry on the disk, as a test does: it is durable at once.
  mutating func place(_ entry: InMemoryFileSystem.Entry?, at path: String) {
    noteUse(of: entries[path])
    entries[path] = entry
    durableEntries[path] = entry
    for index in pending.indices { pending[index].names.removeAll { $0.path == path } }
  }

  mutating func noteUse(of entry: InMemoryFileSystem.Entry?) {
    if case .file(let inode)? = entry { uses[inode, default: 0] += 1 }
  }

  /// Makes the changes of a directory durable.
  mutating func syncDirectory(_ directory: String) {
    for change in pending where change.directory == directory { change.apply(to: &durableEntries) }
    pending.removeAll { $0.directory == directory }
  }

  /// The disk after a crash: nothing is open, and everything on it is durable.
  func afterCrash(entries: [String: InMemoryFileSystem.Entry], contents: [UInt64: [UInt8]]) -> Self {
    var state = InMemoryFileSystem.State()
    state.entries = entries
    state.durableEntries = entries
    for case .file(let inode) in entries.values {
      guard var file = files[inode] else { continue }
      file.place(contents[inode] ?? file.bytes)
      state.files[inode] = file
    }
    state.directoryNumbers = directoryNumbers
    state.lastInode = lastInode
    state.time = time
    return state
  }

  /// Moves a directory, and puts a copy of it in its place. What is open moves too. The names and the copy are durable.
  mutating func replaceDirectory(_ path: String, moving newPath: String) {
    func moved(_ path: String, from old: String) -> String? { path.behind(old + "/").map { "\(newPath)/\($0)" } }
    for change in pending { change.apply(to: &durableEntries) }
    pending = []
    place(.directory, at: newPath)
    directoryNumbers[newPath] = directoryNumbers[path]
    lastInode += 1
    directoryNumbers[path] = lastInode
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
      guard let new = moved(name, from: path) else { continue }
      place(entry, at: new)
      guard case .file(let inode) = entry, let file = files[inode] else { continue }
      let copy = makeFile()
      files[copy] = file
      files[copy]?.place(file.bytes)
      touch(copy)
      place(.file(inode: copy), at: name)
    }
    for (number, file) in open {
      if let new = file.path == path ? newPath : moved(file.path, from: path) { open[number]?.path = new }
    }
  }

  mutating func makeFile() -> UInt64 {
    lastInode += 1
    files[lastInode] = InMemoryFileSystem.File()
    touch(lastInode)
    return lastInode
  }

  mutating func touch(_ inode: UInt64) {
    time += 1
    files[inode]?.modified = time
  }

  mutating func makeHandle(_ file: InMemoryFileSystem.Open) -> OpenFile {
    noteUse(of: file.inode.map { .file(inode: $0) })
    lastNumber += 1
    open[lastNumber] = file
    return OpenFile(number: lastNumber)
  }

  mutating func noteFailedSync(of file: OpenFile) {
    guard let inode = open[file.number]?.inode else { return }
    files[inode]?.syncFailed()
    for number in open.keys where number != file.number && open[number]?.inode == inode {
      open[number]?.hasMissedFailure = true
    }
  }

  func handle(_ file: OpenFile, _ call: String) throws(SystemError) -> InMemoryFileSystem.Open {
    guard let open = open[file.number] else { throw SystemError(call: call, number: SystemError.badDescriptor) }
    return open
  }

  func path(_ name: String, in directory: OpenFile, _ call: String) throws(SystemError) -> String {
    let folder = try handle(directory, call).path
    return folder == "/" ? "/" + name : folder + "/" + name
  }

  func status(
    _ entry: InMemoryFileSystem.Entry?, at path: String, _ call: String
  ) throws(SystemError) -> FileStatus {
    guard let entry else { throw SystemError(call: call, number: SystemError.noSuchFile) }
    guard case .file(let inode) = entry else {
      return FileStatus(
        kind: entry == .directory ? .directory : .other, size: 0, mode: 0o700, owner: 0, group: 0, device: 1,
        inode: directoryNumbers[path] ?? 0, links: 2, modified: 0, changed: 0)
    }
    let content = files[inode]
    return FileStatus(
      kind: .regular, size: content?.bytes.count ?? 0, mode: content?.mode ?? 0o700, owner: content?.owner ?? 0,
      group: 0, device: 1, inode: inode, links: entries.values.count { $0 == entry }, modified: content?.modified ?? 0,
      changed: nameChanges[inode] ?? 0)
  }

  /// Throws if a path has anything else than an empty directory. A missing entry is accepted.
  func requireEmptyDirectory(_ path: String, _ call: String) throws(SystemError) {
    guard let entry = entries[path] else { return }
    if entry != .directory { throw SystemError(call: call, number: SystemError.notDirectory) }
    if entries.keys.contains(where: { $0.behind(path + "/") != nil }) {
      throw SystemError(call: call, number: SystemError.notEmpty)
    }
  }
}

extension String {
  /// The text after a prefix; nil if it does not begin with the prefix. Bytes are compared: a slash and a mark that
  /// begins the next name are one `Character`.
  func behind(_ prefix: String) -> String? {
    utf8.starts(with: prefix.utf8) ? String(Substring(utf8.dropFirst(prefix.utf8.count))) : nil
  }
}
