public import SnapshotFoundation
import SnapshotStore

/// A disk in memory for the tests of a program with a `Store`. Its calls can be made to fail. After a crash it shows
/// every state that a real disk may have.
///
/// ```swift
/// let disk = SimulatedDisk()
/// let store = try Store<Library>.open(at: url, on: disk, clock: ManualClock())
/// disk.fail(.write, with: ENOSPC)
/// // … use the store …
/// print(disk.calls.map(\.operation))
/// ```
///
/// It contains directories and files. Files that a test sets with the subscript are durable. The writes of a store are
/// durable after a sync of the file, and a name after a sync of its directory; see
/// ``possibleStatesAfterCrash(atMost:)``.
public final class SimulatedDisk: Sendable {
  /// The kinds of calls that a store makes.
  public enum Operation: String, CaseIterable, Sendable {
    /// Making a file.
    case create
    /// Opening a file or a directory. The lock file is made by opening it.
    case open
    /// Resolving a path.
    case resolve
    /// Reading bytes.
    case read
    /// Writing bytes.
    case write
    /// Making a file or a directory durable.
    case sync
    /// Renaming a file, replacing the file that has the new name.
    case rename
    /// Giving a file a further name.
    case link
    /// Removing a name.
    case remove
    /// Listing a directory.
    case list
    /// Making a directory.
    case makeDirectory
    /// Locking a file.
    case lock
    /// Reading or setting the size and the permissions of a file.
    case status
  }

  /// A call that a store made.
  public struct Call: Equatable, Sendable {
    /// The number of the call, counted from 1.
    public let number: Int
    /// The kind of the call.
    public let operation: Operation
    /// The name or path of the call; empty for a call on an open file.
    public let name: String
  }

  package let fileSystem: InMemoryFileSystem
  private let faults = Faults()

  /// A disk with nothing but directories.
  ///
  /// - Parameter directories: the directories, made with their parents. The file of a store must be in an existing
  ///   directory; `/` always exists.
  public convenience init(directories: [URL] = []) {
    self.init(InMemoryFileSystem())
    for url in directories { makeDirectory(at: url) }
  }

  package init(_ fileSystem: InMemoryFileSystem) {
    self.fileSystem = fileSystem
    fileSystem.injectEvent { [faults] call in faults.event(for: call) }
  }

  /// A disk with the same files and directories, without open files and without faults.
  func copy() -> SimulatedDisk { SimulatedDisk(fileSystem.copyOfFiles()) }

  // MARK: Content

  /// Makes a directory, and its parents.
  public func makeDirectory(at url: URL) {
    var path = ""
    for name in url.path.split(separator: "/") {
      path += "/\(name)"
      fileSystem.placeDirectory(path)
    }
  }

  /// The present content of a file; nil if there is none. Setting it is the write of another program: it makes no call,
  /// and the content is durable.
  public subscript(url: URL) -> Data? {
    get { fileSystem[url.path].map { Data($0) } }
    set { fileSystem[url.path] = newValue.map { [UInt8]($0) } }
  }

  /// All files, sorted: those of stores, the lock files of open stores, and the remnants of a crash.
  public var files: [URL] { fileSystem.paths.map { URL(fileURLWithPath: $0) } }

  /// Every call so far, in order.
  public var calls: [Call] { fileSystem.calls.map(Call.init) }

  // MARK: Failures

  /// Makes every call of a kind fail from now on, without an effect.
  ///
  /// - Parameters:
  ///   - operation: the kind.
  ///   - errno: the error, for example `ENOSPC`, a full disk, or `EIO`.
  public func fail(_ operation: Operation, with errno: Int32) { faults.change { $0.operations[operation] = errno } }

  /// Makes one call fail, without an effect.
  ///
  /// - Parameters:
  ///   - number: the number of the call. The next call has the number `calls.count + 1`.
  ///   - errno: the error.
  public func failCall(_ number: Int, with errno: Int32) { faults.change { $0.calls[number] = .fail(errno) } }

  /// Limits the number of bytes that every write takes from now on. A write may do so, and nothing fails by this alone.
  public func shortenWrites(to count: Int) {
    if count <= 0 { fatalError("shortenWrites(to:) was given \(count). A write takes at least one byte.") }
    fileSystem.limitWrites(to: count)
  }

  /// Calls `action` before a call is made, for example to let time pass or to change a store in the meantime.
  public func beforeCall(_ number: Int, _ action: @escaping @Sendable () -> Void) {
    faults.change { $0.actions[number] = action }
  }

  /// Ends all faults above, but not a crash.
  public func repair() {
    faults.change { $0 = Faults.State() }
    fileSystem.limitWrites(to: .max)
  }

  // MARK: Crashes

  /// Crashes the machine now: from now on all calls fail and do nothing.
  public func crash() { fileSystem.crash() }

  /// Crashes the machine immediately before a call: that call and all later ones fail and do nothing.
  ///
  /// - Parameter number: the number of the call. The next call has the number `calls.count + 1`.
  public func crash(atCall number: Int) { faults.change { $0.calls[number] = .crash } }

  /// Whether the machine has crashed.
  public var hasCrashed: Bool { fileSystem.isCrashed }

  /// Every possible state of the disk after a crash at this moment. Each is a disk of its own, without open files and
  /// without faults. The next launch of the program must accept each of them.
  ///
  /// - A file has its content at the last sync, with any prefix of the writes since. The rest may be zeros, or the end
  ///   may be there without the beginning.
  /// - Of the changes of a directory since its last sync (names made, renamed, removed), each may have happened or not,
  ///   in every combination. A rename happens as a whole or not at all. It may happen before the content of the file is
  ///   durable.
  /// - The state with all changes, as after the death of the process alone, is included.
  ///
  /// POSIX leaves exactly this open. Of long files a sample of the prefixes is taken, always the same. Of more than ten
  /// unsynced changes of directories a sample of the combinations is taken.
  ///
  /// - Parameter limit: the greatest number of states.
  public func possibleStatesAfterCrash(atMost limit: Int = 4096) -> [SimulatedDisk] {
    fileSystem.statesAfterCrash(.init(states: limit)).map(SimulatedDisk.init)
  }
}

extension SimulatedDisk.Call {
  fileprivate init(_ call: InMemoryFileSystem.Call) {
    self.init(number: call.number, operation: SimulatedDisk.Operation(of: call), name: call.target)
  }
}
