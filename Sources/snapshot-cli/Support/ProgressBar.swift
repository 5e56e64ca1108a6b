import Foundation
import Synchronization

/// Tells on standard error how far work is: from half a second on, on a terminal only, and without a trace at the end.
final class ProgressBar {
  private let state = Shared()
  private let queue = DispatchQueue(label: "snapshot-cli.progress")
  private let timer: (any DispatchSourceTimer)?

  /// - Parameter label: what is being done: “reading notes.csv”.
  init(_ label: String) {
    state.value.withLock { $0.label = label }
    guard Terminal.error.isStyled else {
      timer = nil
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 0.5, repeating: 0.1)
    timer.setEventHandler { [state] in try? state.line.show(state.value.withLock { $0.text }) }
    timer.resume()
    self.timer = timer
  }

  /// Says what is being done now, and how much of it is done, if that is known.
  func show(_ label: String, finished: Int = 0, of total: Int = 0) {
    state.value.withLock { $0 = State(label: label, finished: finished, total: total) }
  }

  /// Takes the line away. May be called more than once.
  func finish() {
    timer?.cancel()
    queue.sync { try? state.line.clear() }
  }

  deinit { finish() }

  private struct State {
    var label = ""
    var finished = 0
    var total = 0

    /// `importing notes.csv  [#########-----------]  45%`
    var text: String {
      guard total > 0 else { return "\(label.forTerminal)…" }
      let part = min(1, Double(finished) / Double(total))
      let filled = Int(part * 20)
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
      return "\(label.forTerminal)  [\(bar)]  \(Int(part * 100))%"
    }
  }

  /// `line` is used on the queue only.
  private final class Shared: @unchecked Sendable {
    let value = Mutex(State())
    let line = ProgressLine(on: .error)
  }
}
