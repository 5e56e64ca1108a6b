import Synchronization

extension Store {
  enum Phase { case open, closing, closed }

  /// The published value, behind the small lock: nothing but copies and comparisons is done under it.
  final class Core: Sendable {
    private let state: Mutex<(snapshot: Snapshot<Root>, phase: Phase)>

    init(_ root: Root) {
      state = Mutex((Snapshot(value: root, revision: 0), .open))
    }

    var snapshot: Snapshot<Root> { state.withLock { $0.snapshot } }

    var phase: Phase { state.withLock { $0.phase } }

    /// Makes a value the latest, and returns its revision.
    func publish(_ root: Root, isChanged: Bool) -> Int {
      // The old value is let go outside of the lock: freeing a large one takes time.
      let old = state.withLock { state in
        let old = state.snapshot
        state.snapshot = Snapshot(value: root, revision: old.revision + (isChanged ? 1 : 0))
        return old
      }
      return old.revision + (isChanged ? 1 : 0)
    }

    /// Changes the phase if it is as expected, and returns whether it was.
    func move(from: Phase, to: Phase) -> Bool {
      state.withLock { state in
        guard state.phase == from else { return false }
        state.phase = to
        return true
      }
    }
  }
}
