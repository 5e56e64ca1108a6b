public import Observation

/// A result that follows a store, for user interfaces: an object with the current result, on the main actor.
///
/// ```swift
/// let count = ObservableValue(store.observe { $0.notes.count })
/// Text("\(count.value) notes")
/// ```
///
/// The result is available at once, and a view that uses it is drawn again when it changes. The object follows its
/// store as long as it exists. When the store is closed, the last result stays.
@MainActor
@Observable
public final class ObservableValue<Value: Equatable & Sendable> {
  /// The current result.
  public private(set) var value: Value

  @ObservationIgnored private var following: TaskHandle?

  /// Computes the first result, and then follows the store.
  public init<Root>(_ values: LiveValues<Root, Value>) {
    let first = values.current()
    value = first.result
    following = TaskHandle(
      Task { [weak self] in
        var iterator = LiveValues.Iterator(values: values, last: first)
        while let next = await iterator.next() {
          guard let self else { return }
          self.value = next
        }
      })
  }
}
