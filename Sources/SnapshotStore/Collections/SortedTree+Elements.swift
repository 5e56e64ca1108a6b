/// Iteration and ranges.
extension SortedTree {
  /// A range of a tree's elements in key order. It keeps the version of the tree from which it was made.
  ///
  /// Two tests on keys define the range. One is true for a prefix of all keys, the other one for a suffix. So a
  /// composite key can be searched by a part of it.
  @usableFromInline
  package struct Elements: Sequence, Sendable {
    @usableFromInline let tree: SortedTree
    @usableFromInline let isBelow: (@Sendable (Key) -> Bool)?
    @usableFromInline let isAbove: (@Sendable (Key) -> Bool)?

    @inlinable
    init(tree: SortedTree, isBelow: (@Sendable (Key) -> Bool)?, isAbove: (@Sendable (Key) -> Bool)?) {
      self.tree = tree
      self.isBelow = isBelow
      self.isAbove = isAbove
    }

    @inlinable
    package func makeIterator() -> Iterator { Iterator(self) }

    /// The same elements, last to first.
    @inlinable
    package func descending() -> Descending { Descending(elements: self) }
  }

  /// The elements of a range, last to first.
  @usableFromInline
  package struct Descending: Sequence, Sendable {
    @usableFromInline let elements: Elements

    @inlinable
    init(elements: Elements) { self.elements = elements }

    @inlinable
    package func makeIterator() -> DescendingIterator { DescendingIterator(elements) }
  }

  @usableFromInline
  package struct Iterator: IteratorProtocol {
    @usableFromInline var cursor: Cursor
    @usableFromInline let isAbove: (@Sendable (Key) -> Bool)?

    @inlinable
    init(_ elements: Elements) {
      cursor = Cursor(elements.tree, firstWhereNot: elements.isBelow ?? { _ in false })
      isAbove = elements.isAbove
    }

    @inlinable
    package mutating func next() -> (key: Key, value: Value)? {
      guard let element = cursor.current else { return nil }
      if let isAbove, isAbove(element.key) { return nil }
      cursor.advance()
      return element
    }
  }

  @usableFromInline
  package struct DescendingIterator: IteratorProtocol {
    @usableFromInline var cursor: Cursor
    @usableFromInline let isBelow: (@Sendable (Key) -> Bool)?

    @inlinable
    init(_ elements: Elements) {
      let isAbove = elements.isAbove
      cursor = Cursor(elements.tree, firstWhereNot: { key in isAbove.map { !$0(key) } ?? true })
      isBelow = elements.isBelow
    }

    @inlinable
    package mutating func next() -> (key: Key, value: Value)? {
      cursor.retreat()
      guard let element = cursor.current else { return nil }
      if let isBelow, isBelow(element.key) { return nil }
      return element
    }
  }

  /// All elements, in ascending order of their keys.
  @inlinable
  package var elements: Elements { Elements(tree: self, isBelow: nil, isAbove: nil) }

  /// The elements in the range that two tests describe: their keys are neither below nor above it.
  @inlinable
  package func elements(
    isBelow: (@Sendable (Key) -> Bool)?, isAbove: (@Sendable (Key) -> Bool)?
  ) -> Elements {
    Elements(tree: self, isBelow: isBelow, isAbove: isAbove)
  }
}

extension SortedTree {
  /// A position in a tree: on an element, or past the last one.
  @usableFromInline
  struct Cursor {
    /// The inner nodes from the root down, each with the index of the child on the path.
    @usableFromInline var path: [(node: Node, index: Int)] = []
    @usableFromInline var leaf: Node
    @usableFromInline var index: Int

    /// The first element whose key makes `isBefore` false.
    @inlinable
    init(_ tree: SortedTree, firstWhereNot isBefore: (Key) -> Bool) {
      leaf = tree.root
      while !leaf.contents.isLeaf {
        let child = leaf.contents.firstIndex { !isBefore($0) }
        path.append((leaf, child))
        leaf = leaf.contents.children[child]
      }
      index = leaf.contents.firstIndex { !isBefore($0) }
      if index == leaf.contents.count { enterNextLeaf() }
    }

    @inlinable var current: (key: Key, value: Value)? {
      let contents = leaf.contents
      return index >= 0 && index < contents.count ? (contents.keys[index], contents.values[index]) : nil
    }

    @inlinable
    mutating func advance() {
      index += 1
      if index >= leaf.contents.count { enterNextLeaf() }
    }

    @inlinable
    mutating func retreat() {
      index -= 1
      if index < 0 { enterPreviousLeaf() }
    }

    /// Moves to the first element of the next leaf. If there is none, the position stays past the end of the last leaf.
    @inlinable
    mutating func enterNextLeaf() {
      guard let level = path.lastIndex(where: { $0.index + 1 < $0.node.contents.fill }) else { return }
      descend(from: level, to: path[level].index + 1) { _ in 0 }
      index = 0
    }

    @inlinable
    mutating func enterPreviousLeaf() {
      guard let level = path.lastIndex(where: { $0.index > 0 }) else { return }
      descend(from: level, to: path[level].index - 1) { $0.contents.fill - 1 }
      index = leaf.contents.count - 1
    }

    @inlinable
    mutating func descend(from level: Int, to child: Int, choose: (Node) -> Int) {
      path.removeSubrange((level + 1)...)
      path[level].index = child
      leaf = path[level].node.contents.children[child]
      while !leaf.contents.isLeaf {
        let index = choose(leaf)
        path.append((leaf, index))
        leaf = leaf.contents.children[index]
      }
    }
  }
}
