import Foundation
import SnapshotCommands
import Synchronization

/// Handles Ctrl-C in commands that change a store. Before anything is changed, the program ends at once. After that,
/// the command notices the interruption and ends in order.
///
/// The state is global, because a signal has one disposition per process.
enum Interruption {
  /// From now on, an interruption ends the program at once.
  static func handle() {
    // Both are initialised here, not in the handler.
    _ = (state.load(ordering: .relaxed), clearsLine)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in Interruption.receive() }
      sigaddset(&signals, number)
    }
    // A program that starts this one from a thread of its own may have left the signals blocked.
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// From now on, `check` must notice an interruption.
  static func begin() throws {
    _ = state.compareExchange(expected: atOnce, desired: inOrder, ordering: .sequentiallyConsistent)
    try check()
  }

  /// Throws after an interruption.
  static func check() throws {
    if state.load(ordering: .sequentiallyConsistent) == asked {
      throw CommandFailure("interrupted; nothing was changed", .interrupted)
    }
  }

  /// Runs at any point of the program, so it must neither lock nor allocate.
  private static func receive() {
    guard state.exchange(asked, ordering: .sequentiallyConsistent) == atOnce else { return }
    if clearsLine { write("\r\u{1B}[K") }
    write("snapshot-cli: interrupted; nothing was changed\n")
    _exit(ExitCode.interrupted.rawValue)
  }

  private static func write(_ text: StaticString) {
    _ = Foundation.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static let state = Atomic<UInt8>(atOnce)
  private static let clearsLine = Terminal.error.isStyled

  private static var atOnce: UInt8 { 0 }
  private static var inOrder: UInt8 { 1 }
  private static var asked: UInt8 { 2 }
}
