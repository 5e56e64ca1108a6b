#if canImport(SwiftUI)
  public import SnapshotStore
  public import SwiftUI

  /// Records of a store in a view of SwiftUI. The view is drawn again when they change.
  ///
  /// ```swift
  /// struct NoteList: View {
  ///   @LiveRecords private var notes: LiveList<Note, NoSections>
  ///
  ///   init(_ store: Store<Notebook>) {
  ///     _notes = LiveRecords(store.observe(\.notes, sortedBy: \.sortDate, order: .descending))
  ///   }
  ///
  ///   var body: some View { List(notes) { Text($0.title) } }
  /// }
  /// ```
  ///
  /// The list is made once for each view and store, O(n log n), and then follows the store: see ``ObservableList``. The
  /// projected value is that object. Its `onBatch` has the changes for animations.
  @MainActor
  @propertyWrapper
  public struct LiveRecords<Value: Record, Section: Comparable & Sendable>: DynamicProperty {
    @State private var query = ViewQuery<LiveList<Value, Section>.Updates, ObservableList<Value, Section>>()
    private let updates: LiveList<Value, Section>.Updates
    private let key: ViewKey

    /// Follows a live query.
    ///
    /// - Parameters:
    ///   - updates: the query.
    ///   - id: the values on which the query's conditions depend, such as the text of a search. With another id the
    ///     list is made anew. Without it, a view keeps the conditions of its first query.
    public init(_ updates: LiveList<Value, Section>.Updates, id: some Hashable = 0) {
      self.updates = updates
      key = ViewKey(store: updates.storeIdentity, id: AnyHashable(id))
    }

    /// The records in order.
    public var wrappedValue: LiveList<Value, Section> { projectedValue.records }

    /// The object that follows the store.
    public var projectedValue: ObservableList<Value, Section> {
      query.object(for: key, of: updates) { ObservableList($0) }
    }
  }
#endif
