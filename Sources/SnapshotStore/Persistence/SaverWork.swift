import Synchronization

/// Work of a saver on one thread: a save, or a look at the file. Code of the program that it calls can find it.
///
/// Such code must not wait for the saver, because the saver waits for that code.
final class SaverWork: Sendable {
  @TaskLocal private static var current: SaverWork?

  private let session: FileSession
  /// The work in which this one began: a save of one store in the code that another one calls.
  private let outer: SaverWork?
  /// The thread that works; 0 afterwards. A task that was begun in the work may outlive it.
  private let thread = Atomic(currentThreadIdentity())

  private init(_ session: FileSession) {
    self.session = session
    outer = Self.current
  }

  /// Does the work on a file.
  static func run<Result>(on session: FileSession, _ body: () -> Result) -> Result {
    let work = SaverWork(session)
    defer { work.thread.store(0, ordering: .relaxed) }
    return $current.withValue(work, operation: body)
  }

  /// Whether this thread is in the work on a file.
  static func isOnThisThread(_ session: FileSession) -> Bool { any { $0 === session } }

  /// Whether this thread is in the work of a store that has the lock of a file. A wait for the lock would be a wait for
  /// this thread.
  static func hasLock(of location: FileLocation) -> Bool {
    any { $0.location.resolvedPath == location.resolvedPath && $0.holdsLock }
  }

  private static func any(_ test: (FileSession) -> Bool) -> Bool {
    var work = current
    while let next = work {
      if next.thread.load(ordering: .relaxed) == currentThreadIdentity(), test(next.session) { return true }
      work = next.outer
    }
    return false
  }
}
