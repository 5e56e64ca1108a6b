import Dispatch
import SnapshotSystem
import Synchronization

/// Saves every store before SIGTERM, SIGINT or SIGHUP ends the process. It passes the signal from the handler, where
/// almost nothing is allowed, to a thread, where everything is.
///
/// A signal that the program handles or ignores itself is left alone. If there was no handler, one is installed that
/// passes the signal to a thread. When everything is saved, the process ends by the same signal. A second signal ends
/// it at once, but not a second SIGHUP. A terminal that is closed may send several, and a service manager may send one
/// after SIGTERM.
enum SignalRelay {
  /// Both ends of a pipe. The handler writes the number of the signal into it.
  private static let channel: (reading: Int32, writing: Int32) = {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()
  private static let count = Atomic(0)
  private static let process = getpid()
  private static let thread: Void = DispatchQueue(label: "SnapshotStore signals").async { waitForSignal() }

  /// Installs the handlers, unless the program has its own. Later calls do nothing.
  static func install() { _ = handlers }

  private static let handlers: Void = {
    for number in [SIGTERM, SIGINT, SIGHUP] where hasDefaultAction(number) { install(for: number) }
  }()

  private static func hasDefaultAction(_ number: Int32) -> Bool {
    var current = sigaction()
    guard sigaction(number, nil, &current) == 0 else { return false }
    return Differences.hasDefaultAction(current)
  }

  private static func install(for number: Int32) {
    guard channel.writing >= 0 else { return }
    _ = thread
    // Everything that the handler uses is created before it is installed.
    _ = (count.load(ordering: .relaxed), process)
    signal(number) { number in
      let isFirst = SignalRelay.count.add(1, ordering: .relaxed).oldValue == 0
      // A forked child has the handler and the pipe, but not the thread. The parent's thread would end the parent.
      if getpid() != SignalRelay.process || !isFirst && number != SIGHUP {
        signal(number, SIG_DFL)
        raise(number)
        return
      }
      if !isFirst { return }
      let error = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(SignalRelay.channel.writing, &byte, 1)
      errno = error
    }
  }

  private static func waitForSignal() {
    var byte: UInt8 = 0
    var result = 0
    repeat { result = read(channel.reading, &byte, 1) } while result < 0 && errno == EINTR
    guard result == 1 else { return }
    ExitFlush.shared.finishAll()
    signal(Int32(byte), SIG_DFL)
    kill(getpid(), Int32(byte))
  }
}
