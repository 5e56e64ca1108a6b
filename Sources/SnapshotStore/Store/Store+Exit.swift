import Synchronization

/// What becomes of unsaved changes when the process ends.
extension Store {
  /// Has the store flushed when the process exits.
  func flushOnExit(_ log: @escaping @Sendable (String) -> Void) {
    let id = ExitFlush.shared.add { [weak self] in
      guard let self, self.status.isDirty else { return }
      do {
        try self.flushAndWait()
      } catch {
        log("the last changes could not be saved: \(error)")
      }
    }
    exitFlush.withLock { $0 = id }
  }

  func forgetExit() {
    let id = exitFlush.withLock { id in
      defer { id = nil }
      return id
    }
    if let id { ExitFlush.shared.remove(id) }
  }
}
