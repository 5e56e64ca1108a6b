import Synchronization

/// What works on a file: a saver.
protocol FileWorker: AnyObject, Sendable {
  var location: FileLocation { get }
  /// Whether it has the lock of the file while it calls code on this thread.
  var hasLockOnThisThread: Bool { get }
}

/// Work of a saver on one thread: a save, or a look at the file. Code of the program that it calls can find it.
///
/// Such code must not wait for the saver, because the saver waits for that code.
final class FileWork: Sendable {
  @TaskLocal private static var current: FileWork?

  private let worker: any FileWorker
  /// The work in which this one began: a save of one store in the code that another one calls.
  private let outer: FileWork?
  /// The thread that works; 0 afterwards. A task that was begun in the work may outlive it.
  private let thread = Atomic(currentThreadIdentity())

  private init(_ worker: any FileWorker) {
    self.worker = worker
    outer = Self.current
  }

  /// Does the work of a saver.
  static func run<Result>(of worker: any FileWorker, _ body: () -> Result) -> Result {
    let work = FileWork(worker)
    defer { work.thread.store(0, ordering: .relaxed) }
    return $current.withValue(work, operation: body)
  }

  /// Whether this thread is in the work of a saver.
  static func isOnThisThread(_ worker: any FileWorker) -> Bool { any { $0 === worker } }

  /// Whether this thread is in the work of a store that has the lock of a file. A wait for the lock would be a wait for
  /// this thread.
  static func hasLock(of location: FileLocation) -> Bool {
    any { $0.location.resolvedPath == location.resolvedPath && $0.hasLockOnThisThread }
  }

  private static func any(_ test: (any FileWorker) -> Bool) -> Bool {
    var work = current
    while let next = work {
      if next.thread.load(ordering: .relaxed) == currentThreadIdentity(), test(next.worker) { return true }
      work = next.outer
    }
    return false
  }
}
