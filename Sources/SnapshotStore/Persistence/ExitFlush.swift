import Dispatch
import Foundation
import Synchronization

/// Saves what is not saved when the process exits, or is asked to by SIGTERM or SIGINT: for stores that want it.
///
/// A signal that the program handles or ignores itself is left to it. Where there was no handler, one is installed that hands
/// the signal on to a thread; when all is saved, the process ends by the same signal, as it would have. A second signal
/// ends it at once.
final class ExitFlush: Sendable {
  static let shared = ExitFlush()

  private let flushes = Mutex<[Int: @Sendable () -> Void]>([:])
  private let lastID = Atomic(0)

  private init() {
    atexit { ExitFlush.shared.flushAll() }
    for number in [SIGTERM, SIGINT] where Self.hasDefaultAction(number) { SignalRelay.install(for: number) }
  }

  /// Adds what is to be called. It blocks until all is saved, or cannot be.
  ///
  /// - Returns: by what it is taken away again.
  func add(_ flush: @escaping @Sendable () -> Void) -> Int {
    let id = lastID.add(1, ordering: .relaxed).newValue
    flushes.withLock { $0[id] = flush }
    return id
  }

  func remove(_ id: Int) {
    // Let go of outside of the lock: it may be the last to hold a store.
    _ = flushes.withLock { $0.removeValue(forKey: id) }
  }

  fileprivate func flushAll() {
    for flush in flushes.withLock({ Array($0.values) }) { flush() }
  }

  private static func hasDefaultAction(_ number: Int32) -> Bool {
    var current = sigaction()
    guard sigaction(number, nil, &current) == 0 else { return false }
    #if canImport(Darwin)
      return current.__sigaction_u.__sa_handler == nil
    #else
      return current.__sigaction_handler.sa_handler == nil
    #endif
  }
}

/// From a signal handler, in which hardly anything is allowed, to a thread, in which everything is.
private enum SignalRelay {
  /// Both ends of a pipe; the handler writes the number of the signal into it.
  private static let pipe: (reading: Int32, writing: Int32) = {
    var ends: [Int32] = [-1, -1]
    if Foundation.pipe(&ends) != 0 { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()
  private static let count = Atomic(0)
  private static let thread: Void = Thread.detachNewThread { waitForSignal() }

  static func install(for number: Int32) {
    guard pipe.writing >= 0 else { return }
    _ = thread
    // Whatever the handler uses exists before it is installed.
    _ = count.load(ordering: .relaxed)
    signal(number) { number in
      if SignalRelay.count.add(1, ordering: .relaxed).oldValue > 0 {
        signal(number, SIG_DFL)
        raise(number)
        return
      }
      let error = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(SignalRelay.pipe.writing, &byte, 1)
      errno = error
    }
  }

  private static func waitForSignal() {
    var byte: UInt8 = 0
    var result = 0
    repeat { result = read(pipe.reading, &byte, 1) } while result < 0 && errno == EINTR
    guard result == 1 else { return }
    ExitFlush.shared.flushAll()
    signal(Int32(byte), SIG_DFL)
    kill(getpid(), Int32(byte))
  }
}
