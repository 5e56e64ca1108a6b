import Synchronization

/// The list of those that wait for saves: a value, which the saver guards with its lock.
///
/// A save that ends no wait costs O(1), however many wait for a revision. A wait that ends costs O(log n).
struct SaveWaiters: Sendable {
  typealias Result = Swift.Result<Void, SnapshotError>

  /// Those who have asked for a save. The schedule knows their numbers.
  var flushes = Registry<@Sendable (Result) -> Void>()
  /// Those who wait until a revision is durable, and ask for no save.
  private var revisions = Agenda<Int, Ticket<Result>>()
  /// Those who follow the state of saving. They are told that there is a new one, and then read it. So they always get
  /// the newest one, whichever thread tells them first.
  private var followers = Registry<AsyncStream<Void>.Continuation>()
  private var isFinished = false

  /// The number of waits for a revision, for tests.
  var count: Int { revisions.count }

  /// - Returns: what `removeWait` takes; nil if no save will follow.
  mutating func add(_ wait: Ticket<Result>, through revision: Int) -> Int? {
    isFinished ? nil : revisions.add(wait, at: revision)
  }

  mutating func removeWait(_ id: Int) -> Ticket<Result>? { revisions.remove(id) }

  /// - Returns: what `removeFollower` takes; nil if no save will follow.
  mutating func add(_ follower: AsyncStream<Void>.Continuation) -> Int? { followers.add(follower) }

  mutating func removeFollower(_ id: Int) -> AsyncStream<Void>.Continuation? { followers.remove(id) }

  // MARK: Answers

  /// Answers that were taken out under the lock. They are given once it is free.
  struct Answers: Sendable {
    fileprivate var flushes: [(answer: @Sendable (Result) -> Void, result: Result)] = []
    fileprivate var waits: [Ticket<Result>] = []
    fileprivate var followers: [AsyncStream<Void>.Continuation] = []
    /// Whether no save will follow.
    fileprivate var areLast = false

    func give() {
      for wait in waits { wait.answer(areLast ? .failure(SaveWaiters.closed) : .success(())) }
      for follower in followers { if areLast { follower.finish() } else { follower.yield() } }
      for (answer, result) in flushes { answer(result) }
    }
  }

  /// Takes out those whom an event concerns.
  ///
  /// - Parameters:
  ///   - actions: those with which the schedule has answered the event.
  ///   - durable: the latest durable revision.
  ///   - isNews: whether the state of saving has changed.
  mutating func takeAnswers(_ actions: [SaveSchedule.Action], durable: Int, isNews: Bool) -> Answers {
    var answers = Answers(waits: revisions.takeAll(through: durable), followers: isNews ? followers.all : [])
    for case .resume(let ids, let failure) in actions {
      let result: Result = failure.map { .failure($0) } ?? .success(())
      answers.flushes += ids.compactMap { flushes.remove($0) }.map { ($0, result) }
    }
    return answers
  }

  /// Takes out all others, because no save will follow.
  mutating func finish() -> Answers {
    isFinished = true
    return Answers(waits: revisions.removeAll(), followers: followers.finish(), areLast: true)
  }

  static var closed: SnapshotError {
    SnapshotError(.closed, "the store was closed before this revision was saved")
  }
}
