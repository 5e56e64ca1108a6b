public import SnapshotFoundation
import SnapshotStore

/// A disk in memory for the tests of a program that keeps a `Store`: its calls can be made to fail, and
/// after a crash every state can be looked at in which a real disk may be.
///
/// ```swift
/// let disk = SimulatedDisk()
/// let store = try Store<Library>.open(at: url, on: disk, clock: ManualClock())
/// disk.fail(.write, with: ENOSPC)
/// ```
///
/// It holds directories and files. What a test puts on it with the subscript is durable. What a store writes is durable
/// once it was synced, and so is a name once its directory was; see ``possibleStatesAfterCrash(atMost:)``.
public final class SimulatedDisk: Sendable {
  /// The kinds of calls that a store makes.
  public enum Operation: String, CaseIterable, Sendable {
    /// Making a file.
    case create
    /// Opening a file or a directory. The lock file is made by opening it.
    case open
    /// Finding out where a path leads.
    case resolve
    /// Reading bytes.
    case read
    /// Writing bytes.
    case write
    /// Making a file or a directory durable.
    case sync
    /// Giving a file another name, in place of the file that has it.
    case rename
    /// Giving a file one more name.
    case link
    /// Removing a name.
    case remove
    /// Listing a directory.
    case list
    /// Making a directory.
    case makeDirectory
    /// Locking a file.
    case lock
    /// Asking for the size and the rights of a file, or setting them.
    case status
  }

  /// One call that a store made.
  public struct Call: Equatable, Sendable {
    /// Which call of all it was; they count from 1.
    public let number: Int
    /// Its kind.
    public let operation: Operation
    /// The name or the path that it was given, empty if it was given an open file.
    public let name: String
  }

  package let fileSystem: InMemoryFileSystem
  private let faults = Faults()

  /// A disk that holds nothing but directories.
  ///
  /// - Parameter directories: are there, with all that they are in. A store's file must be in a directory that is there; `/`
  ///   always is.
  public convenience init(directories: [URL] = []) {
    self.init(InMemoryFileSystem())
    for url in directories { makeDirectory(at: url) }
  }

  package init(_ fileSystem: InMemoryFileSystem) {
    self.fileSystem = fileSystem
    fileSystem.injectEvent { [faults] call in faults.event(for: call) }
  }

  /// A disk with the same files and directories, on which nothing is open and nothing fails.
  func copy() -> SimulatedDisk { SimulatedDisk(fileSystem.copyOfFiles()) }

  // MARK: What is on it

  /// Makes a directory, and those that it is in.
  public func makeDirectory(at url: URL) {
    var path = ""
    for name in url.path.split(separator: "/") {
      path += "/\(name)"
      fileSystem.placeDirectory(path)
    }
  }

  /// The content of a file as a program sees it now; nil if there is none. Setting it is someone else's doing: it makes no
  /// call, and what is set is durable.
  public subscript(url: URL) -> Data? {
    get { fileSystem[url.path].map { Data($0) } }
    set { fileSystem[url.path] = newValue.map { [UInt8]($0) } }
  }

  /// All files, sorted: those of stores, the lock files of stores that are open, and what a crash has left behind.
  public var files: [URL] { fileSystem.paths.map { URL(fileURLWithPath: $0) } }

  /// Every call so far, in order.
  public var calls: [Call] { fileSystem.calls.map(Call.init) }

  // MARK: Failures

  /// Makes every call of a kind fail from now on, without doing anything.
  ///
  /// - Parameters:
  ///   - operation: the kind.
  ///   - errno: why, for example `ENOSPC`, a full disk, or `EIO`.
  public func fail(_ operation: Operation, with errno: Int32) { faults.change { $0.operations[operation] = errno } }

  /// Makes one call fail, without doing anything.
  ///
  /// - Parameters:
  ///   - number: which of all calls. The next one has the number `calls.count + 1`.
  ///   - errno: why.
  public func failCall(_ number: Int, with errno: Int32) { faults.change { $0.calls[number] = .fail(errno) } }

  /// Makes every write take at most so many bytes from now on, as a write may. Nothing fails by this alone.
  public func shortenWrites(to count: Int) {
    if count <= 0 { fatalError("shortenWrites(to:) was given \(count). A write takes at least one byte.") }
    fileSystem.limitWrites(to: count)
  }

  /// Calls `action` before a call is made, for example to let time pass or to change a store meanwhile.
  public func beforeCall(_ number: Int, _ action: @escaping @Sendable () -> Void) {
    faults.change { $0.actions[number] = action }
  }

  /// Takes back all of the above. A crash cannot be taken back.
  public func repair() {
    faults.change { $0 = Faults.State() }
    fileSystem.limitWrites(to: .max)
  }

  // MARK: Crashes

  /// The machine dies now: from now on all calls fail and do nothing.
  public func crash() { fileSystem.crash() }

  /// The machine will die immediately before a call: that one and all later ones fail and do nothing.
  ///
  /// - Parameter number: which of all calls. The next one has the number `calls.count + 1`.
  public func crash(atCall number: Int) { faults.change { $0.calls[number] = .crash } }

  /// Whether the machine has died.
  public var hasCrashed: Bool { fileSystem.isCrashed }

  /// Every state in which the disk may be after a crash at this moment, each a disk of its own on which nothing is open and
  /// nothing fails. The program's next launch must cope with each of them.
  ///
  /// - A file holds what it held when it was last synced; or any beginning of what was written since, or that with zeros in
  ///   the place of the rest, or the end without the beginning.
  /// - Of the changes of a directory since it was last synced (names made, renamed, removed), each may have happened or not,
  ///   in every combination. A rename happens whole or not at all, and may happen before the content of the file is there.
  /// - The state in which all was done, as after the death of the process alone, is among them.
  ///
  /// That is what POSIX leaves open. Of long files a sample of the beginnings is taken, always the same, and of more than ten
  /// unsynced changes of directories a sample of the combinations.
  ///
  /// - Parameter limit: how many states to make at most.
  public func possibleStatesAfterCrash(atMost limit: Int = 4096) -> [SimulatedDisk] {
    fileSystem.statesAfterCrash(.init(states: limit)).map(SimulatedDisk.init)
  }
}

extension SimulatedDisk.Call {
  fileprivate init(_ call: InMemoryFileSystem.Call) {
    self.init(number: call.number, operation: SimulatedDisk.Operation(of: call), name: call.target)
  }
}
