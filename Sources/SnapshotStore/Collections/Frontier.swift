/// The part of a tree that is still to be visited: a stack of subtrees, whose top is the next one. If it is a leaf,
/// there is also a position in it.
///
/// Nothing here depends on the types of keys and values. A merge reaches tables through their schema, in code that is
/// not specialised for a record. There, one access through a type costs as much as the comparison of a leaf. The caller
/// must hold the tree while this is in use.
@usableFromInline
struct Frontier {
  /// Where a key is, and where its value is.
  @usableFromInline typealias Position = (key: UnsafeRawPointer, value: UnsafeRawPointer)

  private var pending: [(node: UnsafeRawPointer, height: Int)]
  private var index = 0
  private let layout: NodeLayout
  /// The number of nodes opened, plus the number of scans of a leaf.
  @usableFromInline var steps = 0

  @usableFromInline
  init(_ root: UnsafeRawPointer, _ layout: NodeLayout) {
    self.layout = layout
    var (node, height) = (root, 0)
    while !layout.header(of: node).isLeaf {
      node = layout.children(of: node)[0]
      height += 1
    }
    // Only the root of an empty tree is an empty leaf.
    pending = layout.header(of: root).fill == 0 ? [] : [(root, height)]
  }

  /// The next element; nil at the end. Call `skipSame` first: it brings a leaf to the top of the stack.
  @usableFromInline var current: Position? {
    guard let top = pending.last else { return nil }
    return (layout.key(at: index, of: top.node), layout.value(at: index, of: top.node))
  }

  /// Skips elements of the leaf at the top of the stack.
  @usableFromInline
  mutating func advance(by count: Int = 1) {
    index += count
    if let top = pending.last, index == layout.header(of: top.node).count { drop() }
  }

  /// Skips subtrees that both sides share, and elements with the same bits. Opens other subtrees down to leaves. It
  /// opens the taller side first, so that both sides reach a shared node at the same height.
  ///
  /// - Parameter limit: the most steps of both sides together.
  /// - Returns: whether a side has an element left. False at the end, and beyond the limit.
  @usableFromInline
  static func skipSame(_ a: inout Frontier, _ b: inout Frontier, limit: Int) -> Bool {
    while let topA = a.pending.last, let topB = b.pending.last {
      if a.steps + b.steps > limit { return false }
      if topA.node == topB.node, a.index == b.index {
        a.drop()
        b.drop()
      } else if topA.height == 0, topB.height == 0 {
        a.steps += 1
        let count = a.countOfSame(as: b, topA.node, topB.node)
        if count == 0 { return true }
        a.advance(by: count)
        b.advance(by: count)
      } else {
        if topA.height >= topB.height { a.open() }
        if topB.height >= topA.height { b.open() }
      }
    }
    a.openToLeaf()
    b.openToLeaf()
    return a.steps + b.steps <= limit && !(a.pending.isEmpty && b.pending.isEmpty)
  }

  /// The number of next elements in two leaves that have the same bits.
  private func countOfSame(as other: Frontier, _ node: UnsafeRawPointer, _ otherNode: UnsafeRawPointer) -> Int {
    let most = min(layout.header(of: node).count - index, layout.header(of: otherNode).count - other.index)
    let keys = Self.countOfSame(
      layout.key(at: index, of: node), layout.key(at: other.index, of: otherNode), most, stride: layout.keyStride)
    return Self.countOfSame(
      layout.value(at: index, of: node), layout.value(at: other.index, of: otherNode), keys, stride: layout.valueStride)
  }

  private static func countOfSame(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int, stride: Int) -> Int {
    if stride == 0 { return count }
    let end = count * stride
    var byte = 0
    while byte + 8 <= end,
      a.loadUnaligned(fromByteOffset: byte, as: UInt64.self) == b.loadUnaligned(fromByteOffset: byte, as: UInt64.self)
    {
      byte += 8
    }
    while byte < end, a.load(fromByteOffset: byte, as: UInt8.self) == b.load(fromByteOffset: byte, as: UInt8.self) {
      byte += 1
    }
    return byte / stride
  }

  private mutating func openToLeaf() {
    while let top = pending.last, top.height > 0 { open() }
  }

  private mutating func open() {
    let (node, height) = pending.removeLast()
    steps += 1
    let children = layout.children(of: node)
    for index in (0..<layout.header(of: node).fill).reversed() { pending.append((children[index], height - 1)) }
  }

  private mutating func drop() {
    pending.removeLast()
    index = 0
  }
}

/// The memory layout of the nodes of one type of tree.
@usableFromInline
struct NodeLayout {
  /// The offset of the header in the object.
  private let header: Int
  /// The offset of the keys in the object.
  private let keys: Int
  fileprivate let keyStride: Int
  /// 0 for values without a size.
  fileprivate let valueStride: Int

  @usableFromInline
  init(header: Int, keys: Int, keyStride: Int, valueStride: Int) {
    (self.header, self.keys, self.keyStride, self.valueStride) = (header, keys, keyStride, valueStride)
  }

  fileprivate func header(of node: UnsafeRawPointer) -> NodeHeader {
    (node + header).assumingMemoryBound(to: NodeHeader.self).pointee
  }

  fileprivate func key(at index: Int, of leaf: UnsafeRawPointer) -> UnsafeRawPointer { leaf + keys + index * keyStride }

  fileprivate func value(at index: Int, of leaf: UnsafeRawPointer) -> UnsafeRawPointer {
    UnsafeRawPointer(header(of: leaf).othersStart) + index * valueStride
  }

  fileprivate func children(of node: UnsafeRawPointer) -> UnsafePointer<UnsafeRawPointer> {
    UnsafeRawPointer(header(of: node).othersStart).assumingMemoryBound(to: UnsafeRawPointer.self)
  }
}
