/// The header of a node. Nothing here depends on the types of keys and values, because the compiler never specialises
/// `deinit`.
@usableFromInline
struct NodeHeader {
  /// The number of keys.
  @usableFromInline var count: Int
  @usableFromInline let isLeaf: Bool
  /// The number of elements under an inner node; a leaf has `count`.
  @usableFromInline var below = 0
  /// How the keys are released.
  @usableFromInline let keys: NodeElements
  /// How the values or the children are released.
  @usableFromInline let others: NodeElements
  /// The start of the values or children.
  @usableFromInline let othersStart: UnsafeMutableRawPointer
  /// A sum whose value is not used; see `firstWords`.
  @usableFromInline var words = 0

  @inlinable
  init(isLeaf: Bool, keys: NodeElements, others: NodeElements, othersStart: UnsafeMutableRawPointer) {
    count = 0
    self.isLeaf = isLeaf
    self.keys = keys
    self.others = others
    self.othersStart = othersStart
  }

  /// The number of keys in a leaf, of children in an inner node.
  @inlinable var fill: Int { isLeaf ? count : count + 1 }

  /// The number of elements in a leaf or under an inner node.
  @inlinable var size: Int { isLeaf ? count : below }
}

/// How elements are released.
@usableFromInline
enum NodeElements {
  /// They are plain bits: nothing to do.
  case bits
  /// One reference each.
  case objects
  /// As their type says.
  case others

  @inlinable
  init<Element>(_ type: Element.Type) {
    self = _isPOD(type) ? .bits : type is AnyObject.Type ? .objects : .others
  }
}

extension SortedTree {
  /// A node: a leaf of keys and their values, or an inner node of children and the separators between them.
  ///
  /// `keys[i]` of an inner node is greater than every key under `children[i]`. It is not greater than any key under
  /// `children[i + 1]`. All leaves are at the same depth. A node is changed only through a tree that is its only owner
  /// (`isKnownUniquelyReferenced`), and never again once a second tree shares it.
  ///
  /// One allocation holds the object, the header, room for all keys, and behind it room for all values or children.
  @usableFromInline
  final class Node: ManagedBuffer<NodeHeader, Key> {
    /// The most keys in a leaf.
    @inlinable static var leafCapacity: Int { 32 }
    /// The most children of an inner node.
    @inlinable static var innerCapacity: Int { 16 }

    /// An empty node. An inner one must be filled before it is used.
    @inlinable
    static func make(isLeaf: Bool) -> Node {
      let keys = (isLeaf ? leafCapacity : innerCapacity) * MemoryLayout<Key>.stride
      let others =
        isLeaf ? leafCapacity * MemoryLayout<Value>.stride : innerCapacity * MemoryLayout<Node>.stride
      let alignment = isLeaf ? MemoryLayout<Value>.alignment : MemoryLayout<Node>.alignment
      let stride = MemoryLayout<Key>.stride
      let room = (keys + alignment - 1 + others + stride - 1) / stride
      let node = create(minimumCapacity: room) { node in
        let end = node.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) + keys }
        return NodeHeader(
          isLeaf: isLeaf, keys: NodeElements(Key.self), others: isLeaf ? NodeElements(Value.self) : .objects,
          othersStart: isLeaf ? end.alignedUp(for: Value.self) : end.alignedUp(for: Node.self))
      }
      return unsafeDowncast(node, to: Node.self)
    }

    @inlinable
    deinit {
      let header = header
      if header.keys != .bits { contents.keys.deinitialize(count: header.count) }
      switch header.others {
      case .bits: break
      case .objects:
        let objects = header.othersStart.assumingMemoryBound(to: Unmanaged<AnyObject>.self)
        for index in 0..<header.fill { objects[index].release() }
      case .others: contents.values.deinitialize(count: header.count)
      }
    }

    /// The memory of the node. Valid while the node is held.
    @inlinable var contents: NodeContents<Key, Value> {
      withUnsafeMutablePointers { NodeContents(header: $0, keys: $1) }
    }

    @inlinable
    static func leaf(keys: some Collection<Key>, values: some Collection<Value>) -> Node {
      let node = make(isLeaf: true)
      let contents = node.contents
      for (index, key) in keys.enumerated() { (contents.keys + index).initialize(to: key) }
      for (index, value) in values.enumerated() { (contents.values + index).initialize(to: value) }
      contents.count = keys.count
      return node
    }

    @inlinable
    static func inner(separators: some Collection<Key>, children: some Collection<Node>) -> Node {
      let node = make(isLeaf: false)
      let contents = node.contents
      for (index, key) in separators.enumerated() { (contents.keys + index).initialize(to: key) }
      for (index, child) in children.enumerated() { (contents.children + index).initialize(to: child) }
      contents.count = separators.count
      contents.countBelow()
      return node
    }

    @inlinable
    func copy() -> Node {
      let old = contents
      let copy = Node.make(isLeaf: old.isLeaf)
      let new = copy.contents
      new.keys.initialize(from: old.keys, count: old.count)
      if old.isLeaf {
        new.header.pointee.words = Self.firstWords(of: old.values, count: old.count)
        new.values.initializeEach(from: old.values, count: old.count)
      } else {
        new.header.pointee.words = Self.firstWords(of: old.children, count: old.fill)
        new.children.initializeEach(from: old.children, count: old.fill)
      }
      new.count = old.count
      new.below = old.below
      return copy
    }

    /// Reads the first word of each object, which never changes, so that the processor fetches all objects at the same
    /// time. Counting references would fetch them one after the other (decision 0012).
    @inlinable
    static func firstWords<Object>(of objects: UnsafeMutablePointer<Object>, count: Int) -> Int {
      guard Object.self is AnyObject.Type else { return 0 }
      return objects.withMemoryRebound(to: UnsafePointer<Int>.self, capacity: count) { objects in
        (0..<count).reduce(0) { $0 &+ objects[$1].pointee }
      }
    }
  }
}

/// The memory of a node. Valid while the node is held.
@usableFromInline
struct NodeContents<Key: Comparable & Sendable, Value: Sendable> {
  @usableFromInline typealias Node = SortedTree<Key, Value>.Node
  @usableFromInline let header: UnsafeMutablePointer<NodeHeader>
  @usableFromInline let keys: UnsafeMutablePointer<Key>

  @inlinable
  init(header: UnsafeMutablePointer<NodeHeader>, keys: UnsafeMutablePointer<Key>) {
    self.header = header
    self.keys = keys
  }

  @inlinable var isLeaf: Bool { header.pointee.isLeaf }

  /// The number of keys.
  @inlinable var count: Int {
    get { header.pointee.count }
    nonmutating set { header.pointee.count = newValue }
  }

  /// The number of keys in a leaf, of children in an inner node.
  @inlinable var fill: Int { header.pointee.fill }

  /// The number of elements under an inner node.
  @inlinable var below: Int {
    get { header.pointee.below }
    nonmutating set { header.pointee.below = newValue }
  }

  /// The number of elements in a leaf or under an inner node.
  @inlinable var size: Int { header.pointee.size }

  /// Updates the number of elements under an inner node, from the counts of its children.
  @inlinable
  func countBelow() {
    below = (0..<fill).reduce(0) { $0 + children[$1].contents.size }
  }

  /// The values of a leaf.
  @inlinable var values: UnsafeMutablePointer<Value> {
    UnsafeMutableRawPointer(keys + Node.leafCapacity).alignedUp(for: Value.self).assumingMemoryBound(to: Value.self)
  }

  /// The children of an inner node.
  @inlinable var children: UnsafeMutablePointer<Node> {
    UnsafeMutableRawPointer(keys + Node.innerCapacity).alignedUp(for: Node.self).assumingMemoryBound(to: Node.self)
  }

  /// Whether the node has too few elements after a removal and must be joined with a sibling.
  @inlinable var isUnderfull: Bool {
    isLeaf ? count < Node.leafCapacity / 4 : count + 1 < Node.innerCapacity / 4
  }

  /// The index of the first key that is not less than `key`.
  @inlinable
  func lowerBound(of key: Key) -> Int {
    firstIndex { !($0 < key) }
  }

  /// The index of the child under which `key` is, if the tree has it.
  @inlinable
  func childIndex(for key: Key) -> Int {
    firstIndex { key < $0 }
  }

  /// The index of the first key for which `isAfter` is true. `isAfter` must be false for a prefix of the keys only.
  ///
  /// The search first goes in steps of eight. The processor predicts that they go on, and fetches the cache lines
  /// ahead. Within eight keys the number of steps is fixed, and no step has a branch to mispredict.
  @inlinable
  @inline(__always)
  func firstIndex(where isAfter: (Key) -> Bool) -> Int {
    var low = 0
    while count - low > 8, !isAfter(keys[low + 7]) { low += 8 }
    var length = Swift.min(count - low, 8)
    while length > 1 {
      let half = length / 2
      low = isAfter(keys[low + half - 1]) ? low : low + half
      length -= half
    }
    return length == 1 && !isAfter(keys[low]) ? low + 1 : low
  }
}
