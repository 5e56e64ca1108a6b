import Dispatch
public import SnapshotFoundation

/// Opens stores, also for short sessions.
extension Store {
  /// Opens the store in a file, and creates the file if there is none.
  ///
  /// An existing file that cannot be read is never treated as an empty store and never touched. A store with exclusive
  /// access has the lock of the file until it is closed. Meanwhile no other store can save to the file. Opening it for
  /// reading only is always possible. For several stores that write, see ``StoreAccess/shared``.
  ///
  /// - Throws: ``SnapshotError``; with code `locked` if another store, of this or another process, has the lock of the
  ///   file. A store with shared access opens nevertheless, unless there is no file yet.
  public static func open(at url: URL, options: StoreOptions = StoreOptions()) throws -> Store {
    try open(
      at: url, options: options, fileSystem: POSIXFileSystem(), scheduler: DispatchScheduler(), exit: .shared)
  }

  /// Changes the value in a file in one short session: opens the file, changes the value, saves, and closes the file.
  ///
  /// Sessions of several processes wait for each other and lose nothing. If `body` throws, nothing is saved and no file
  /// is created. The policy in the options is ignored.
  ///
  /// - Parameters:
  ///   - url: the file. It is created if it does not exist, unless the options say otherwise.
  ///   - options: the options for opening and saving.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  ///   - body: changes the value.
  /// - Returns: the result of `body`, once the file has the change and is synced.
  /// - Throws: the errors of `body`; ``SnapshotError``, with code `locked` if the time limit was too short.
  @discardableResult
  public static func update<Result>(
    at url: URL, options: StoreOptions = StoreOptions(), waitingAtMost timeLimit: Duration = .seconds(10),
    _ body: (inout Root) throws -> Result
  ) throws -> Result {
    try update(
      at: url, options: options, waitingAtMost: timeLimit, fileSystem: POSIXFileSystem(),
      scheduler: DispatchScheduler(), exit: .shared, body)
  }

  /// The same on another file system and clock, for tests.
  package static func update<Result>(
    at url: URL, options: StoreOptions, waitingAtMost timeLimit: Duration, fileSystem: any FileSystem,
    scheduler: any Scheduler, exit: ExitFlush? = nil, _ body: (inout Root) throws -> Result
  ) throws -> Result {
    var options = options
    options.policy = .manual
    options.lockTimeLimit = timeLimit
    // Closing would fold it at once.
    options.journal = .none
    options.access = .exclusive
    // The caller learns of a failure by an error.
    options.log = { _ in }
    // No file is created before there is content for it.
    let store = try open(
      at: url, options: options, fileSystem: fileSystem, scheduler: scheduler, exit: exit, makesFile: false)
    let result = try store.write(body)
    // No save follows for an empty value, so it is saved here.
    if store.openReport?.source == .created, store.revision == 0 {
      _ = try store.saver?.inTurn { () throws in try store.saver?.file.save(store.snapshot().value) }
    }
    try store.closeAndWait()
    return result
  }

  /// The same on another file system and clock, for tests.
  ///
  /// - Parameters:
  ///   - exit: saves when the process ends; nil if nothing does.
  ///   - makesFile: whether to create a missing file now, and not in the first save.
  ///   - initial: the value of a missing file. The flattened value in it has the keys that a file lacks.
  package static func open(
    at url: URL, options: StoreOptions, fileSystem: any FileSystem, scheduler: any Scheduler, exit: ExitFlush? = nil,
    makesFile: Bool = true, initial: Root = Root()
  ) throws -> Store {
    Root.requireTypes()
    Root.requireCompleteSchema()
    var options = options
    var reason: SnapshotError?
    do throws(SnapshotError) {
      return try openOnce(at: url, options, fileSystem, scheduler, exit, nil, makesFile: makesFile, initial)
    } catch {
      let problem =
        options.readsNewerVersions && error.code == .locked
        ? newerVersion(at: url, options, fileSystem) ?? error : error
      let isMeant =
        options.fallsBackToReadOnly && problem.meansReadOnly
        || options.readsNewerVersions && problem.code == .newerVersion
      guard isMeant, options.policy != .readOnly else { throw error }
      reason = problem
    }
    options.policy = .readOnly
    return try openOnce(at: url, options, fileSystem, scheduler, exit, reason, makesFile: makesFile, initial)
  }

  /// The error about the version of a file that another store has open, possibly a newer program; nil if there is none.
  private static func newerVersion(
    at url: URL, _ options: StoreOptions, _ fileSystem: any FileSystem
  ) -> SnapshotError? {
    guard let path = try? url.requiredPath(), let location = try? FileLocation(path, on: fileSystem),
      let bytes = try? fileSystem.readFile(at: location, limit: options.limits.fileSize).bytes,
      let document = try? Document(bytes, limits: options.limits), document.header.schema == Root.schema.name
    else { return nil }
    return Root.schema.refusal(ofNewer: document.header.version)?.at(path: path)
  }

  private static func openOnce(
    at url: URL, _ options: StoreOptions, _ fileSystem: any FileSystem, _ scheduler: any Scheduler,
    _ exit: ExitFlush?, _ readOnlyReason: SnapshotError?, makesFile: Bool, _ initial: Root
  ) throws(SnapshotError) -> Store {
    let path = try url.requiredPath()
    if options.createsFolders, options.createsFile, options.policy != .readOnly {
      try FileLocation.createFolders(of: path, on: fileSystem)
    }
    let opened = try StoreFile<Root>.open(
      at: path,
      StoreFileOptions(
        fileSystem: fileSystem, newFormat: options.format, limits: options.limits,
        threads: options.threads ?? Parallel.defaultThreads, isReadOnly: options.policy == .readOnly,
        isShared: options.access == .shared && options.policy != .readOnly, lockTimeLimit: options.lockTimeLimit,
        generations: options.generations, journal: options.journal,
        recovery: options.recovery,
        readsNewerVersions: options.readsNewerVersions, defaults: try initial.flattenedDefaults(),
        date: { scheduler.date }),
      initial: initial)
    var report = opened.report
    if opened.root == nil {
      if options.policy == .readOnly || !options.createsFile {
        throw SnapshotError(.fileNotFound, "there is no such file", path: path)
      }
      if (initial as? any OptionalModel)?.isEmpty == true {
        throw SnapshotError(
          .fileNotFound, "there is no such file, and no initial value for a new one",
          advice: "Open it with “Store.value(_:at:)” first.", path: path)
      }
      if makesFile {
        report.journal = try opened.file.setStrayJournalAside().map { OpenReport.FoundJournal(kept: [$0]) }
        _ = try opened.file.save(initial)
      }
    }
    report.readOnlyReason = readOnlyReason
    let root = opened.root ?? initial
    opened.file.session.releaseLock()
    let store = Store(root, file: opened.file, url: url, report: report, options: options, scheduler: scheduler)
    // A short session needs few indexes.
    if makesFile { buildIndexes(of: root) }
    store.watchFile(fileSystem)
    if let exit, options.policy != .readOnly {
      store.saver?.finishAtExit(exit) { [background = store.background, lock = store.writerLock] in
        finishBlocks(background, lock)
      }
      if options.flushesOnSignals { SignalRelay.install() }
    }
    if let refusal = report.journal?.refusal {
      options.log(
        "\(path.quotedForMessage()): the changes in its journal were not taken in, because the schema refuses them: "
          + "\("\(refusal)".escapedForMessage(limit: 1_000)); kept: "
          + (report.journal?.kept.joined(separator: ", ").quotedForMessage(limit: 1_000) ?? ""))
    }
    // A journal that was there is folded soon.
    store.saver?.begin()
    return store
  }
}

extension Store {
  /// Builds the indexes of a value that was read, in the background. A use that comes sooner waits for it.
  private static func buildIndexes(of root: Root) {
    let work = root.deferredBuilding
    if work.isEmpty { return }
    DispatchQueue(label: "SnapshotStore indexes", qos: .userInitiated).async {
      _ = Parallel.map(work.count, threads: Parallel.defaultThreads) { work[$0]() }
    }
  }
}

extension SnapshotError {
  /// Whether a file that could not be opened for writing may still be opened for reading.
  fileprivate var meansReadOnly: Bool {
    switch code {
    case .locked: true
    case .ioFailed: [SystemError.accessDenied, SystemError.readOnlyFileSystem].contains(systemError)
    default: false
    }
  }
}

/// A file with one value.
extension Store {
  /// Opens the file of one value, and creates it with the initial value if there is none.
  ///
  /// ```swift
  /// struct Preferences: Codable, Equatable, Sendable {
  ///   var fontSize = 14
  ///   var recent: [String] = []
  /// }
  ///
  /// let preferences = try Store.value(Preferences(), at: url)
  /// try preferences.write { $0.fontSize += 1 }
  /// print(preferences.fontSize)
  /// ```
  ///
  /// The value needs no `Record`, no ``Model`` and no ``Schema``. Everything else is as with any store: saving in the
  /// background, the journal, sharing, merging by property, undo and observation. The type of the store is
  /// `Store<ValueModel<Preferences>>`. `preferences.value` is the whole value.
  ///
  /// - Parameters:
  ///   - initial: the value of a new file. If an existing file has no key for a property, the property is as in this
  ///     value. An optional property is nil then, because nil has no key in a file.
  ///   - url: the file: `.json`, `.plist`, `.bplist` or `.ndjson`.
  ///   - options: the options for opening and saving.
  /// - Throws: the errors of ``open(at:options:)``; `unencodable` if the value has no named properties.
  public static func value<Value>(
    _ initial: Value, at url: URL, options: StoreOptions = StoreOptions()
  ) throws -> Store where Root == ValueModel<Value> {
    try open(
      at: url, options: options, fileSystem: POSIXFileSystem(), scheduler: DispatchScheduler(), exit: .shared,
      initial: ValueModel(initial))
  }
}
