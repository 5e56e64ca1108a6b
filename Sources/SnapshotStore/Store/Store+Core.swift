import Synchronization

/// Whether a store can be changed.
enum StorePhase { case open, closing, closed }

/// What the small lock guards. Without a type parameter, because the runtime looks up types that have one at every access.
private struct CoreState: @unchecked Sendable {
  /// A `Store<Root>.Published`.
  var latest: AnyObject
  var phase = StorePhase.open
}

extension Store {
  /// A value that was published. On the heap, so that taking the latest one costs one reference, whatever it is; and never
  /// changed, so that giving it to a closure copies nothing of it.
  @usableFromInline
  final class Published: @unchecked Sendable {
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
    private let state: Mutex<CoreState>

    init(_ root: Root) {
      state = Mutex(CoreState(latest: Published(root, revision: 0)))
    }

    @usableFromInline var latest: Published {
      unsafeDowncast(state.withLock { $0.latest }, to: Published.self)
    }

    /// Whether the lock can be had at this moment.
    var isFree: Bool { state.isFree }

    var phase: StorePhase { state.withLock { $0.phase } }

    /// The latest value, and whether it may be changed.
    var latestAndPhase: (latest: Published, phase: StorePhase) {
      let state = state.withLock { $0 }
      return (unsafeDowncast(state.latest, to: Published.self), state.phase)
    }

    /// Makes a value the latest. The caller holds the one before, so that nothing is freed under the lock: freeing a
    /// large value takes time.
    @usableFromInline
    func publish(_ latest: Published) {
      state.withLock { $0.latest = latest }
    }

    /// Changes the phase if it is as expected, and returns whether it was.
    func move(from: StorePhase, to: StorePhase) -> Bool {
      state.withLock { state in
        guard state.phase == from else { return false }
        state.phase = to
        return true
      }
    }
  }
}
