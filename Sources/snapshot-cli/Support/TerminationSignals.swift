import Foundation

/// Cleans up when a signal ends the program. The cleanup runs on a thread that waits for the signal, where all calls
/// are allowed.
///
/// It needs no file descriptor. A signal source of Dispatch needs three, and Dispatch ends the process if none is left.
enum TerminationSignals {
  /// From now on, SIGINT, SIGTERM, SIGHUP and SIGQUIT run the cleanup. Then they end the program with 128 and their
  /// number, as shells count.
  ///
  /// No handler of `exit` runs then, so nothing saves the files that the cleanup removes. Call this once, before the
  /// program starts threads: threads inherit the blocked signals.
  static func handle(_ clean: @escaping @Sendable () -> Void) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let awaited = signals
    Thread.detachNewThread {
      var signals = awaited
      var number: Int32 = 0
      while sigwait(&signals, &number) != 0 {}
      clean()
      _exit(128 + number)
    }
  }
}
