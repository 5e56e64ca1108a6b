import SnapshotStore
// In release builds a small lock is a mutex of this module.
import Synchronization

/// A file system in memory, for tests. Tests can inspect the result of a save and make any call fail. A crash gives
/// every state that a real disk may have afterwards (``statesAfterCrash(_:)``).
///
/// It has one flat space of absolute paths, with directories, regular files and symbolic links to files.
package final class InMemoryFileSystem: Sendable {
  /// A call, as a test sees it before it is executed.
  package struct Call: Equatable, Sendable {
    package let name: String
    package let target: String
    /// The number of the call, counted from 1.
    package let number: Int
  }

  /// A fault of a call.
  package enum Event: Equatable, Sendable {
    /// The call does nothing, and fails with this `errno`.
    case fail(Int32)
    /// A sync does nothing, and reports success.
    case ignore
    /// A write takes at most this number of bytes.
    case shorten(to: Int)
    /// The machine, or the process, dies before the call. It and all later calls fail and do nothing.
    case crash
  }

  let state: SmallLock<State>

  /// An empty file system with the given directories.
  package convenience init(directories: [String] = []) {
    var state = State()
    for path in directories { state.place(.directory, at: path) }
    self.init(state)
  }

  /// A file system in a given state.
  init(_ state: State) { self.state = SmallLock(state) }

  var copyOfState: State { state.withLock { $0 } }

  // MARK: Control by tests

  /// Every call so far, in order.
  package var calls: [Call] { state.withLock { $0.calls } }

  /// The number of open files and directories.
  package var openCount: Int { state.withLock { $0.open.count } }

  /// The number of locks that are held.
  package var lockCount: Int { state.withLock { $0.open.values.count { $0.isLocked } } }

  /// The paths of all files and links.
  package var paths: [String] {
    state.withLock { state in
      state.entries.filter { if case .directory = $0.value { false } else { true } }.keys.sorted()
    }
  }

  /// Makes calls fail with the `errno` that `fault` returns for them.
  package func injectFault(_ fault: (@Sendable (Call) -> Int32?)?) {
    guard let fault else { return injectEvent(nil) }
    injectEvent { call in fault(call).map { .fail($0) } }
  }

  /// Injects the faults that `event` returns for calls. It is called without a lock, so it may take time, and use the
  /// file system itself.
  package func injectEvent(_ event: (@Sendable (Call) -> Event?)?) { state.withLock { $0.event = event } }

  /// Makes every later call fail and do nothing, as if the process had been killed.
  package func crash() { state.withLock { $0.isCrashed = true } }

  package var isCrashed: Bool { state.withLock { $0.isCrashed } }

  /// The bytes of all files, by their paths.
  package var contents: [String: [UInt8]] {
    state.withLock { state in
      state.entries.compactMapValues { if case .file(let inode) = $0 { state.files[inode]?.bytes } else { nil } }
    }
  }

  /// The paths of all directories.
  package var directories: [String] {
    state.withLock { state in state.entries.filter { $0.value == .directory }.keys.sorted() }
  }

  /// Removes an empty directory, durably, as another program does.
  package func removeDirectory(_ path: String) { state.withLock { $0.place(nil, at: path) } }

  /// Moves a directory, and puts a copy of it in its place, as another program does. The names and the copy are
  /// durable.
  package func replaceDirectory(_ path: String, moving newPath: String) {
    state.withLock { $0.replaceDirectory(path, moving: newPath) }
  }

  /// Makes a directory, durably.
  package func placeDirectory(_ path: String) { state.withLock { $0.place(.directory, at: path) } }

  /// Limits the number of bytes that a `write` takes.
  package func limitWrites(to count: Int) { state.withLock { $0.writeLimit = count } }

  /// The bytes of a file. Setting them is a write by another program.
  package subscript(path: String) -> [UInt8]? {
    get {
      state.withLock { state in
        if case .file(let inode)? = state.entries[path] { state.files[inode]?.bytes } else { nil }
      }
    }
    set {
      state.withLock { state in
        guard let newValue else {
          state.place(nil, at: path)
          return
        }
        let inode = state.makeFile()
        state.files[inode]?.place(newValue)
        state.place(.file(inode: inode), at: path)
      }
    }
  }

  /// Changes the bytes of a file in place, without changing its status.
  package func overwrite(_ path: String, _ change: (inout [UInt8]) -> Void) {
    state.withLock { state in
      if case .file(let inode)? = state.entries[path], var file = state.files[inode] {
        var bytes = file.bytes
        change(&bytes)
        file.place(bytes)
        state.files[inode] = file
        state.noteUse(of: .file(inode: inode))
      }
    }
  }

  /// Whether it tells of the use of files (`watchUse`). Real systems may not.
  package func setTellsOfUse(_ tellsOfUse: Bool) { state.withLock { $0.tellsOfUse = tellsOfUse } }

  /// Makes a symbolic link.
  package func link(_ path: String, to target: String) {
    state.withLock { $0.place(.link(to: target), at: path) }
  }

  /// The permission bits of a file.
  package func mode(of path: String) -> UInt32? {
    state.withLock { state in
      if case .file(let inode)? = state.entries[path] { state.files[inode]?.mode } else { nil }
    }
  }

  /// Sets the permission bits of a file.
  package func setMode(_ mode: UInt32, of path: String) {
    state.withLock { state in
      if case .file(let inode)? = state.entries[path] { state.files[inode]?.mode = mode }
    }
  }

  /// Gives a file to a user.
  package func setOwner(_ owner: UInt32, of path: String) {
    state.withLock { state in
      if case .file(let inode)? = state.entries[path] { state.files[inode]?.owner = owner }
    }
  }

  /// Makes a call: records it, applies its fault, and executes it.
  func perform<Result: Sendable>(
    _ name: String, _ target: String, _ body: (inout sending State) throws(SystemError) -> sending Result
  ) throws(SystemError) -> Result {
    let (call, event) = state.withLock { state in
      let call = Call(name: name, target: target, number: state.calls.count + 1)
      state.calls.append(call)
      return (call, state.event)
    }
    if isCrashed { throw SystemError(call: name, number: SystemError.ioError) }
    switch event?(call) {
    case .fail(let number): throw SystemError(call: name, number: number)
    case .crash: crash()
    case .shorten(let count): if ["write", "pwrite"].contains(name) { state.withLock { $0.nextWriteLimit = count } }
    case .ignore: if ["fsync", "fdatasync"].contains(name) { state.withLock { $0.ignoresSync = true } }
    case nil: break
    }
    return try state.withLock { state throws(SystemError) in
      if state.isCrashed { throw SystemError(call: name, number: SystemError.ioError) }
      return try body(&state)
    }
  }
}
