import Synchronization

extension Store {
  enum Phase { case open, closing, closed }

  /// A value that was published. On the heap, so that taking the latest one costs one reference, whatever it is.
  @usableFromInline
  final class Published: Sendable {
    @usableFromInline let value: Root
    @usableFromInline let revision: Int

    @inlinable
    init(_ value: Root, revision: Int) {
      self.value = value
      self.revision = revision
    }

    var snapshot: Snapshot<Root> { Snapshot(value: value, revision: revision) }
  }

  /// The published value, behind the small lock: nothing but copies and comparisons is done under it.
  @usableFromInline
  final class Core: Sendable {
    private let state: Mutex<(latest: Published, phase: Phase)>

    init(_ root: Root) {
      state = Mutex((Published(root, revision: 0), .open))
    }

    @usableFromInline var latest: Published { state.withLock { $0.latest } }

    var phase: Phase { state.withLock { $0.phase } }

    /// The latest value, and whether it may be changed.
    var latestAndPhase: (latest: Published, phase: Phase) { state.withLock { $0 } }

    /// Makes a value the latest. The caller holds the one before, so that nothing is freed under the lock: freeing a
    /// large value takes time.
    @usableFromInline
    func publish(_ latest: Published) {
      state.withLock { $0.latest = latest }
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
