/// The difference of two versions. Shared nodes are skipped.
extension SortedTree {
  /// Reports every key whose value differs between two trees, in ascending order.
  ///
  /// Nodes that both trees share are skipped whole. So trees that differ in k elements, one made from the other, are
  /// compared in O(k · log n). Elements with the same bits are skipped as well. `areSame` is called only for the
  /// others.
  ///
  /// - Parameter stepLimit: the number of steps after which the comparison gives up. Entering a node is a step. A
  ///   change of one element takes about two steps for each level of the tree.
  /// - Returns: the number of steps; nil if it gave up.
  @inlinable
  @discardableResult
  package func forEachDifference(
    from old: SortedTree, stepLimit: Int = .max,
    areSame: (Value, Value) -> Bool,
    _ body: (_ key: Key, _ old: Value?, _ new: Value?) throws -> Void
  ) rethrows -> Int? {
    try withExtendedLifetime((old.root, root)) {
      var olds = Frontier(Self.address(of: old.root), layout)
      var news = Frontier(Self.address(of: root), layout)
      while Frontier.skipSame(&olds, &news, limit: stepLimit) {
        switch (olds.current, news.current) {
        case (nil, nil): break
        case (let old?, nil):
          try body(Self.key(old), Self.value(old), nil)
          olds.advance()
        case (nil, let new?):
          try body(Self.key(new), nil, Self.value(new))
          news.advance()
        case (let old?, let new?):
          let (oldKey, newKey) = (Self.key(old), Self.key(new))
          if oldKey < newKey {
            try body(oldKey, Self.value(old), nil)
            olds.advance()
          } else if newKey < oldKey {
            try body(newKey, nil, Self.value(new))
            news.advance()
          } else {
            let (oldValue, newValue) = (Self.value(old), Self.value(new))
            if !areSame(oldValue, newValue) { try body(newKey, oldValue, newValue) }
            olds.advance()
            news.advance()
          }
        }
      }
      let steps = olds.steps + news.steps
      return steps <= stepLimit ? steps : nil
    }
  }

  @inlinable
  static func address(of node: Node) -> UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(node).toOpaque()) }

  @inlinable
  static func key(_ position: Frontier.Position) -> Key { position.key.assumingMemoryBound(to: Key.self).pointee }

  @inlinable
  static func value(_ position: Frontier.Position) -> Value {
    position.value.assumingMemoryBound(to: Value.self).pointee
  }

  /// The memory layout of the nodes of this type.
  @inlinable
  var layout: NodeLayout {
    let object = Self.address(of: root)
    return root.withUnsafeMutablePointers { header, keys in
      NodeLayout(
        header: UnsafeRawPointer(header) - object, keys: UnsafeRawPointer(keys) - object,
        keyStride: MemoryLayout<Key>.stride,
        valueStride: MemoryLayout<Value>.size == 0 ? 0 : MemoryLayout<Value>.stride)
    }
  }
}

extension NodeHeader {
  /// Whether one of two trees has more elements. O(1).
  static func haveOtherSizes(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    header(of: a).pointee.size != header(of: b).pointee.size
  }

  /// The first two values at the same place in two trees of objects that are not the same object. Nil if there are
  /// none, or if the nodes on the way to them are filled differently. O(log n). The caller holds the trees.
  static func firstOtherObjects(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> (AnyObject, AnyObject)? {
    var (a, b) = (a, b)
    while true {
      let (one, other) = (header(of: a).pointee, header(of: b).pointee)
      guard one.isLeaf == other.isLeaf, one.fill == other.fill else { return nil }
      let ours = one.othersStart.assumingMemoryBound(to: UnsafeRawPointer.self)
      let theirs = other.othersStart.assumingMemoryBound(to: UnsafeRawPointer.self)
      guard let place = (0..<one.fill).first(where: { ours[$0] != theirs[$0] }) else { return nil }
      (a, b) = (ours[place], theirs[place])
      if one.isLeaf {
        return (
          Unmanaged<AnyObject>.fromOpaque(a).takeUnretainedValue(),
          Unmanaged<AnyObject>.fromOpaque(b).takeUnretainedValue()
        )
      }
    }
  }

  /// The header of a node, which follows the two words of an object.
  private static func header(of node: UnsafeRawPointer) -> UnsafePointer<NodeHeader> {
    (node + 2 * MemoryLayout<Int>.size).assumingMemoryBound(to: NodeHeader.self)
  }
}
