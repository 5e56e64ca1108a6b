#if canImport(SwiftUI)
  public import SnapshotStore
  public import SwiftUI

  /// A result of a store's value in a view of SwiftUI. The view is drawn again when it changes.
  ///
  /// ```swift
  /// struct Badge: View {
  ///   @LiveValue<Notebook, Int> private var count: Int
  ///
  ///   init(_ store: Store<Notebook>) { _count = LiveValue(store.observe { $0.notes.count }) }
  ///
  ///   var body: some View { Text("\(count) notes") }
  /// }
  /// ```
  ///
  /// The function runs once for each view and store, and then for each commit: see ``ObservableValue``.
  @MainActor
  @propertyWrapper
  public struct LiveValue<Root: Model, Value: Equatable & Sendable>: DynamicProperty {
    @State private var query = ViewQuery<LiveValues<Root, Value>, ObservableValue<Value>>()
    private let values: LiveValues<Root, Value>
    private let key: ViewKey

    /// Follows a function of the value.
    ///
    /// - Parameters:
    ///   - values: the results.
    ///   - id: the values on which the function depends. With another id the function is taken anew.
    public init(_ values: LiveValues<Root, Value>, id: some Hashable = 0) {
      self.values = values
      key = ViewKey(store: values.storeIdentity, id: AnyHashable(id))
    }

    /// The current result.
    public var wrappedValue: Value { projectedValue.value }

    /// The object that follows the store.
    public var projectedValue: ObservableValue<Value> {
      query.object(for: key, of: values) { ObservableValue($0) }
    }
  }
#endif
