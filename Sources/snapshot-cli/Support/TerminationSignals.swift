import Foundation

/// Cleans up when a signal ends the program: on a thread that waits for it, where everything is allowed.
///
/// It needs no descriptor. A signal source of Dispatch needs three, and Dispatch ends the process if there are none left.
enum TerminationSignals {
  /// From now on, SIGINT, SIGTERM, SIGHUP and SIGQUIT run the cleaning, and then end the program with 128 and their number, as shells count.
  ///
  /// Nothing else runs at that end: no handler of `exit` saves what the cleaning removes. To be called once, before the
  /// program starts threads: they inherit that the signals wait for this one.
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
