import Dispatch
import Foundation

/// SIGINT and SIGTERM as a sequence, so that the program can save before it ends.
enum TerminationSignal {
  /// The signals from now on. A second signal ends the program at once.
  static var signals: AsyncStream<Int32> {
    AsyncStream { continuation in
      // Nothing is called on them later. They only have to exist.
      nonisolated(unsafe) let sources = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
          signal(number, SIG_DFL)
          continuation.yield(number)
        }
        source.resume()
        return source
      }
      continuation.onTermination = { _ in withExtendedLifetime(sources) {} }
    }
  }
}
