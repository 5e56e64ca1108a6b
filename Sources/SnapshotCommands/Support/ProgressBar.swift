import Foundation
import Synchronization

/// Shows the progress of work on standard error: after half a second, only on a terminal, and without a trace at the
/// end.
///
/// ```swift
/// let bar = ProgressBar("reading \(name)")
/// defer { bar.finish() }
/// for (number, post) in posts.enumerated() {
///   bar.show("checking", finished: number, of: posts.count)
///   try check(post)
/// }
/// ```
public final class ProgressBar {
  private let state = Shared()
  private let isShown = Terminal.error.isStyled
  private var isFinished = false

  /// - Parameter label: the work in progress: “reading notes.csv”.
  public init(_ label: String) {
    show(label)
    if isShown { Thread.detachNewThread { [state] in state.showLine() } }
  }

  /// Sets the work in progress, and its known progress.
  public func show(_ label: String, finished: Int = 0, of total: Int = 0) {
    state.value.withLock { $0 = State(label: label, finished: finished, total: total) }
  }

  /// Removes the line. May be called more than once.
  public func finish() {
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

    /// `importing notes.csv  45%  [#########-----------]`. The least important part comes last, since a narrow terminal
    /// cuts it.
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

    /// Shows the line until the end. It uses a thread, which needs no file descriptor. Dispatch ends the process if one
    /// of its timers gets none.
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
