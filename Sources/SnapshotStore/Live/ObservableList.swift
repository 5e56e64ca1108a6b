public import Observation
import Synchronization

/// A live query for user interfaces: an object with the list as it is, on the main actor.
///
/// The list is there when the object is made; whatever is drawn from it is drawn again when it changes. Views that animate take the
/// batches. It follows its store as long as somebody holds it; when the store is closed, the last list stays.
///
/// ```swift
/// let list = ObservableList(store.observe(\.notes, sortedBy: \.sortDate, order: .descending))
/// List(list.records) { Text($0.title) }
/// ```
@MainActor
@Observable
public final class ObservableList<Value: Record, Section: Comparable & Sendable> {
  /// The records in order.
  public private(set) var records: LiveList<Value, Section>

  /// Called with each batch, when `records` is the list after it; also with one that is empty, if only ``LiveList/matchCount`` changed.
  @ObservationIgnored public var onBatch: ((ListBatch<Value, Section>) -> Void)?
  @ObservationIgnored private var following: TaskHandle?

  /// Makes the first list, O(n log n), and follows from then on.
  public init(_ updates: LiveUpdates<Value, Section>) {
    let first = updates.start()
    records = first.list
    // The task would hold what it begins with as long as it runs, so that is handed over.
    let start = Handover(first)
    following = TaskHandle(
      Task { [weak self] in
        var iterator = LiveUpdates.Iterator(updates: updates, state: start.take())
        while let update = await iterator.next() {
          guard let self else { return }
          self.take(update)
        }
      })
  }

  private func take(_ update: LiveUpdate<Value, Section>) {
    records = update.list
    if let batch = update.batch { onBatch?(batch) }
  }
}

/// A value that is given away once.
private final class Handover<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value) { self.value = Mutex(value) }

  func take() -> Value? { value.withLock { $0.take() } }
}

/// A task that ends with the one who holds this.
private final class TaskHandle: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }
}
