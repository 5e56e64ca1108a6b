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
///
/// Without views that observe it, a function is called instead:
///
/// ```swift
/// let told = ObservableValue(store.observe { $0.notes.count }) {
///   print("\($0) notes")
/// }
/// ```
@MainActor
@Observable
public final class ObservableValue<Value: Equatable & Sendable> {
  /// The current result.
  public private(set) var value: Value

  @ObservationIgnored private var following: TaskHandle?

  /// Computes the first result, and then follows the store.
  ///
  /// - Parameters:
  ///   - values: the results.
  ///   - onChange: called with the first result before this returns, and with each later one when `value` has it. It is
  ///     kept as long as the object follows the store. So capture the owner of the object weakly.
  public init<Root>(_ values: LiveValues<Root, Value>, onChange: ((Value) -> Void)? = nil) {
    let first = values.current()
    value = first.result
    onChange?(value)
    following = TaskHandle(
      Task { [weak self] in
        var iterator = LiveValues.Iterator(values: values, last: first)
        while let next = await iterator.next() {
          guard let self else { return }
          self.value = next
          onChange?(next)
        }
      })
  }
}
