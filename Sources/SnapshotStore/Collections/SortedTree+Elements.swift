extension SortedTree {
  /// A range of a tree's elements in key order. Holds the tree as it was, whatever happens to the original.
  ///
  /// The range is given by two tests on keys, each true for a prefix or a suffix of all keys, so that a composite key
  /// can be searched by a part of it.
  package struct Elements: Sequence, Sendable {
    let tree: SortedTree
    let isBelow: (@Sendable (Key) -> Bool)?
    let isAbove: (@Sendable (Key) -> Bool)?

    package func makeIterator() -> Iterator { Iterator(self) }

    /// The same elements, last to first.
    package func descending() -> Descending { Descending(elements: self) }
  }

  /// The elements of a range, last to first.
  package struct Descending: Sequence, Sendable {
    let elements: Elements
    package func makeIterator() -> DescendingIterator { DescendingIterator(elements) }
  }

  package struct Iterator: IteratorProtocol {
    private var cursor: Cursor
    private let isAbove: (@Sendable (Key) -> Bool)?

    init(_ elements: Elements) {
      cursor = Cursor(elements.tree, firstWhereNot: elements.isBelow ?? { _ in false })
      isAbove = elements.isAbove
    }

    package mutating func next() -> (key: Key, value: Value)? {
      guard let element = cursor.current else { return nil }
      if let isAbove, isAbove(element.key) { return nil }
      cursor.advance()
      return element
    }
  }

  package struct DescendingIterator: IteratorProtocol {
    private var cursor: Cursor
    private let isBelow: (@Sendable (Key) -> Bool)?

    init(_ elements: Elements) {
      let isAbove = elements.isAbove
      cursor = Cursor(elements.tree, firstWhereNot: { key in isAbove.map { !$0(key) } ?? true })
      isBelow = elements.isBelow
    }

    package mutating func next() -> (key: Key, value: Value)? {
      cursor.retreat()
      guard let element = cursor.current else { return nil }
      if let isBelow, isBelow(element.key) { return nil }
      return element
    }
  }

  /// All elements, in ascending order of their keys.
  package var elements: Elements { Elements(tree: self, isBelow: nil, isAbove: nil) }

  /// The elements whose keys are neither below nor above the range that the two tests describe.
  package func elements(
    isBelow: (@Sendable (Key) -> Bool)?, isAbove: (@Sendable (Key) -> Bool)?
  ) -> Elements {
    Elements(tree: self, isBelow: isBelow, isAbove: isAbove)
  }
}

/// A position in a tree: on an element, or past the last one.
extension SortedTree {
  struct Cursor {
    /// The inner nodes from the root down, each with the index of the child that was taken.
    private var path: [(node: Node, index: Int)] = []
    private var leaf: Node
    private var index: Int

    /// The first element whose key makes `isBefore` false.
    init(_ tree: SortedTree, firstWhereNot isBefore: (Key) -> Bool) {
      leaf = tree.root
      while !leaf.isLeaf {
        let child = leaf.firstIndex(where: isBefore)
        path.append((leaf, child))
        leaf = leaf.children[child]
      }
      index = leaf.firstIndex(where: isBefore)
      if index == leaf.keys.count { enterNextLeaf() }
    }

    var current: (key: Key, value: Value)? {
      index >= 0 && index < leaf.keys.count ? (leaf.keys[index], leaf.values[index]) : nil
    }

    mutating func advance() {
      index += 1
      if index >= leaf.keys.count { enterNextLeaf() }
    }

    mutating func retreat() {
      index -= 1
      if index < 0 { enterPreviousLeaf() }
    }

    /// Leaves the position past the end of the last leaf when there is no next one.
    private mutating func enterNextLeaf() {
      guard let level = path.lastIndex(where: { $0.index + 1 < $0.node.children.count }) else { return }
      descend(from: level, to: path[level].index + 1) { _ in 0 }
      index = 0
    }

    private mutating func enterPreviousLeaf() {
      guard let level = path.lastIndex(where: { $0.index > 0 }) else { return }
      descend(from: level, to: path[level].index - 1) { $0.children.count - 1 }
      index = leaf.keys.count - 1
    }

    private mutating func descend(from level: Int, to child: Int, choose: (Node) -> Int) {
      path.removeSubrange((level + 1)...)
      path[level].index = child
      leaf = path[level].node.children[child]
      while !leaf.isLeaf {
        let index = choose(leaf)
        path.append((leaf, index))
        leaf = leaf.children[index]
      }
    }
  }
}
