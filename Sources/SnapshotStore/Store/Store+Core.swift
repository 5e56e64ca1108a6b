import Synchronization

/// Whether a store can be changed.
enum StorePhase { case open, closing, closed }

/// The state behind the small lock. It has no type parameter, because the runtime would look up a generic type at every
/// access.
private struct CoreState: @unchecked Sendable {
  /// A `Store<Root>.Published`.
  var latest: AnyObject
  var phase = StorePhase.open
}

extension Store {
  /// A published value. It is on the heap, so that a reader of the latest value counts one reference, whatever its
  /// size. It never changes, so a closure can use it without a copy.
  @usableFromInline
  final class Published: @unchecked Sendable {
    @usableFromInline let value: Root
    @usableFromInline let revision: Int

    @inlinable
    init(_ settled: Settled<Root>, revision: Int) {
      value = settled.value
      self.revision = revision
    }

    var settled: Settled<Root> { Settled(verbatim: value, .published) }

    var snapshot: Snapshot<Root> { Snapshot(value: value, revision: revision) }
  }

  /// The published value, behind the small lock. Under the lock it is only copied and compared.
  @usableFromInline
  final class Core: Sendable {
    private let state: SmallLock<CoreState>

    /// - Parameter root: a value that nobody has changed since it was opened.
    init(_ root: Root) {
      state = SmallLock(CoreState(latest: Published(Settled(verbatim: root, .opened), revision: 0)))
    }

    @usableFromInline var latest: Published {
      unsafeDowncast(state.withLock { $0.latest }, to: Published.self)
    }

    /// Whether the lock is free at this moment.
    var isFree: Bool { state.isFree }

    var phase: StorePhase { state.withLock { $0.phase } }

    /// The latest value, and whether it may be changed.
    var latestAndPhase: (latest: Published, phase: StorePhase) {
      let state = state.withLock { $0 }
      return (unsafeDowncast(state.latest, to: Published.self), state.phase)
    }

    /// Publishes a value. The caller holds the previous one, so that nothing is freed under the lock. Freeing a large
    /// value takes time.
    @usableFromInline
    func publish(_ latest: Published) {
      assert((0...1).contains(latest.revision - self.latest.revision), "a revision was left out, or comes again")
      state.withLock { $0.latest = latest }
    }

    /// Changes the phase if it is `from`, and returns whether it was.
    func move(from: StorePhase, to: StorePhase) -> Bool {
      state.withLock { state in
        guard state.phase == from else { return false }
        state.phase = to
        return true
      }
    }
  }
}
