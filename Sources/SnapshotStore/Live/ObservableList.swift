public import Observation
import Synchronization

/// A live query for user interfaces: an object with the current list, on the main actor.
///
/// The list is available at once, and a view that uses it is drawn again when it changes. A view with animations uses
/// the batches. The object follows its store as long as it exists. When the store is closed, the last list stays.
///
/// ```swift
/// let notes = store.observe(\.notes, sortedBy: \.sortDate, order: .descending)
/// let list = ObservableList(notes)
/// List(list.records) { Text($0.title) }
/// ```
@MainActor
@Observable
public final class ObservableList<Value: Record, Section: Comparable & Sendable> {
  /// The records in order.
  public private(set) var records: LiveList<Value, Section>

  /// Called with each batch, after `records` was set to the new list. The batch is empty if only
  /// ``LiveList/matchCount`` changed.
  @ObservationIgnored public var onBatch: ((LiveList<Value, Section>.Batch) -> Void)?
  @ObservationIgnored private var following: TaskHandle?

  /// Makes the first list, O(n log n), and then follows the store.
  public init(_ updates: LiveList<Value, Section>.Updates) {
    let first = updates.start()
    records = first.list
    // A task keeps its captured values while it runs, so the first list is handed over instead.
    let start = Handover(first)
    following = TaskHandle(
      Task { [weak self] in
        var iterator = LiveList.Updates.Iterator(updates: updates, state: start.take())
        while let update = await iterator.next() {
          guard let self else { return }
          self.take(update)
        }
      })
  }

  private func take(_ update: LiveList<Value, Section>.Updates.Update) {
    records = update.list
    if let batch = update.batch { onBatch?(batch) }
  }
}

/// A value that can be taken once.
private final class Handover<Value: Sendable>: Sendable {
  private let value: SmallLock<Value?>

  init(_ value: Value) { self.value = SmallLock(value) }

  func take() -> Value? { value.withLock { $0.take() } }
}
