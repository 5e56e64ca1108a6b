import Foundation
import Synchronization

/// What Ctrl-C does to a command that changes a store: as long as nothing has been begun, the program ends at once; after that,
/// the command is told, and ends in order.
///
/// There is one for the program, because there is one disposition of a signal.
enum Interruption {
  /// From now on, an interruption ends the program at once.
  static func handle() {
    // Made here, not in the handler.
    _ = (state.load(ordering: .relaxed), clearsLine)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in Interruption.receive() }
      sigaddset(&signals, number)
    }
    // A program that starts this one from a thread of its own may have left them blocked.
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// From now on, an interruption is for `check` to notice.
  static func begin() throws {
    _ = state.compareExchange(expected: atOnce, desired: inOrder, ordering: .sequentiallyConsistent)
    try check()
  }

  /// Throws if the user has asked for the end.
  static func check() throws {
    if state.load(ordering: .sequentiallyConsistent) == asked {
      throw Failure("interrupted; nothing was changed", .interrupted)
    }
  }

  /// Runs in the middle of anything, so it must neither lock nor allocate.
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
