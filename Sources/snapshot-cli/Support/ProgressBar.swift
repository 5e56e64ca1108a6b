import Foundation
import Synchronization

/// Tells on standard error how far work is: from half a second on, on a terminal only, and without a trace at the end.
final class ProgressBar {
  private let state = Shared()
  private let isShown = Terminal.error.isStyled
  private var isFinished = false

  /// - Parameter label: what is being done: “reading notes.csv”.
  init(_ label: String) {
    show(label)
    if isShown { Thread.detachNewThread { [state] in state.showLine() } }
  }

  /// Says what is being done now, and how much of it is done, if that is known.
  func show(_ label: String, finished: Int = 0, of total: Int = 0) {
    state.value.withLock { $0 = State(label: label, finished: finished, total: total) }
  }

  /// Takes the line away. May be called more than once.
  func finish() {
    guard isShown, !isFinished else { return }
    isFinished = true
    state.end.signal()
    state.isCleared.wait()
  }

  deinit { finish() }

  private struct State {
    var label = ""
    var finished = 0
    var total = 0

    /// `importing notes.csv  45%  [#########-----------]`: what a narrow terminal has no room for comes last.
    var text: String {
      guard total > 0 else { return "\(label.forTerminal)…" }
      let part = min(1, Double(finished) / Double(total))
      let filled = Int(part * 20)
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
      return "\(label.forTerminal)  \(Int(part * 100))%  [\(bar)]"
    }
  }

  private final class Shared: Sendable {
    let value = Mutex(State())
    let end = DispatchSemaphore(value: 0)
    let isCleared = DispatchSemaphore(value: 0)

    /// Shows the line until the end. On a thread that needs no descriptor: Dispatch ends the process if a timer of its gets none.
    func showLine() {
      let line = ProgressLine(on: .error)
      var pause = DispatchTimeInterval.milliseconds(500)
      while end.wait(timeout: .now() + pause) == .timedOut {
        try? line.show(value.withLock { $0.text })
        pause = .milliseconds(100)
      }
      try? line.clear()
      isCleared.signal()
    }
  }
}
