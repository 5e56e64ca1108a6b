/// Tombstones for functions of a model that are also called outside a store.
extension Model {
  /// Updates the tombstones after changes since an earlier value, as every transaction of a store does. O(changes ·
  /// log n) if this value was made from the earlier one.
  ///
  /// In a transaction, the tombstones follow at its end. A function that calls this has them at once, and works on a
  /// value without a store:
  ///
  /// ```swift
  /// extension Dashboard {
  ///   mutating func deletePosts(of author: Author.ID) {
  ///     let before = self
  ///     posts.removeAll { $0.author == author }
  ///     updateTombstones(since: before)
  ///   }
  /// }
  /// ```
  ///
  /// A model whose schema declares no ``Tombstones`` does not change. The parts of a model are updated too. On its own
  /// result, the function changes nothing.
  public mutating func updateTombstones(since earlier: Self) {
    TombstoneUpdate().visit(&self, before: earlier)
  }
}

/// Updates the tombstones of a model and its parts.
struct TombstoneUpdate: ModelVisitor {
  func visit<Root: Model>(_ value: inout Root, before: Root) {
    for part in Root.schema.parts { part.hooks.visit(self, &value, before: before) }
    for tombstones in Root.schema.tombstones { tombstones.hooks.follow(before, &value) }
  }
}
