/// The structure of one record in JSON: where each value begins and ends, in the order of the file.
///
/// Only the form that `JSONText` writes is accepted: no white space, no escapes in keys. `JSONScanner` reads any other.
/// The grammar is checked, except for the escapes of texts and for numbers with an exponent or many digits. These are
/// checked when they are read. `unchecked` counts those that were not.
///
/// The memory is reused from record to record. It is not an array, because each access to one in a class is checked.
final class JSONTape {
  struct Node {
    var kind: Kind
    /// Whether the key was read.
    var isUsed = false
    /// Whether the value under construction has read this one.
    var isRead = false
    /// Whether the content is still to be checked.
    var isUnchecked = false
    /// Whether a text has escapes.
    var hasEscapes = false
    /// Whether a dictionary reads the members.
    var isMap = false
    var start: Int
    /// The first byte of the key; 0 for an element of an array.
    var keyStart: Int
    var keyCount: Int32
    /// The number of members or elements; of any other value, the number of its bytes.
    var count: Int32 = 0
    /// The node after this one and all below it.
    var next: Int32 = 0
    /// The member that was found last; 0 for none.
    var found: Int32 = 0
    /// The value under construction that reads the members; 0 for none.
    var reader: Int32 = 0
  }

  enum Kind: UInt8 { case text, number, truth, falsity, null, array, object }

  struct State {
    var cursor: ByteCursor
    let limits: ReadLimits
    let source: SourceText
    var count = 0
    /// The members that were not read.
    var unused = 0
    /// The values whose content was not checked.
    var unchecked = 0
    /// Whether the strict way might give another result.
    var fallsBack = false
    /// The number of values under construction so far.
    var readers: Int32 = 0
    /// The keys by which values under construction are read.
    var keys: [(node: Int32, key: any CodingKey)] = []
    /// A copy of the record, for a container that a value has kept.
    var kept: UnsafeMutableBufferPointer<UInt8>?
  }

  /// A record with more values, or an object with more members, is read strictly. So every search is short.
  static let most = (nodes: 4_096, members: 64)
  /// The node of a value that is not in the file.
  static let missing = 0
  static let root = 1

  let nodes: UnsafeMutablePointer<Node>
  let state: UnsafeMutablePointer<State>

  init(_ cursor: ByteCursor, _ source: SourceText, _ limits: ReadLimits) {
    nodes = .allocate(capacity: Self.most.nodes)
    state = .allocate(capacity: 1)
    state.initialize(to: State(cursor: cursor, limits: limits, source: source))
  }

  deinit {
    state.pointee.kept?.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
    nodes.deallocate()
  }

  var bytes: UnsafeBufferPointer<UInt8> { state.pointee.cursor.bytes }

  /// Whether all of the record was read and checked, in a way that the strict way would repeat.
  var isTrusted: Bool { state.pointee.unused == 0 && state.pointee.unchecked == 0 && !state.pointee.fallsBack }

  func fallBack() { state.pointee.fallsBack = true }

  /// Copies the record, because a container was kept. The bytes of the file are valid only while it is read.
  func keepBytes(to end: Int) {
    let start = nodes[Self.root].start
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: end - start)
    _ = copy.initialize(from: bytes[start..<end])
    for index in 0..<state.pointee.count {
      nodes[index].start -= start
      nodes[index].keyStart -= start
    }
    state.pointee.kept = copy
    state.pointee.cursor = ByteCursor(
      UnsafeBufferPointer(copy), offset: 0, limit: copy.count, isAtRecord: true, state.pointee.limits)
  }
}

// MARK: - Structure

extension JSONTape {
  /// Notes the structure of the record at an offset, and returns the offset behind it. Nil for any other form.
  func scan(from start: Int) -> Int? {
    state.pointee.count = 1
    state.pointee.unused = 0
    state.pointee.unchecked = 0
    state.pointee.fallsBack = false
    state.pointee.readers = 0
    if !state.pointee.keys.isEmpty { state.pointee.keys.removeAll(keepingCapacity: true) }
    nodes[Self.missing] = Node(kind: .null, start: start, keyStart: 0, keyCount: 0, next: 1)
    let bytes = self.bytes
    guard start < bytes.count, bytes[start] == UInt8(ascii: "{") else { return nil }
    var offset = start
    return value(bytes, &offset, key: 0..<0, depth: 3) ? offset : nil
  }

  private func value(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, key: Range<Int>, depth: Int
  ) -> Bool {
    let index = state.pointee.count
    guard index < Self.most.nodes, offset < bytes.count else { return false }
    state.pointee.count = index + 1
    let start = offset
    var node = Node(
      kind: .null, start: start, keyStart: key.lowerBound, keyCount: Int32(key.count), next: Int32(index + 1))
    switch bytes[offset] {
    case UInt8(ascii: "\""):
      let (end, hasEscapes) = ByteText.endOfJSONString(bytes, from: offset + 1)
      guard let end, end - offset <= state.pointee.limits.textSize else { return false }
      offset = end + 1
      node.kind = .text
      node.isUnchecked = hasEscapes
      node.hasEscapes = hasEscapes
    case UInt8(ascii: "{"):
      nodes[index] = node
      return object(bytes, &offset, index, depth)
    case UInt8(ascii: "["):
      nodes[index] = node
      return array(bytes, &offset, index, depth)
    case UInt8(ascii: "t"):
      guard word("true", bytes, &offset) else { return false }
      node.kind = .truth
    case UInt8(ascii: "f"):
      guard word("false", bytes, &offset) else { return false }
      node.kind = .falsity
    case UInt8(ascii: "n"): guard word("null", bytes, &offset) else { return false }
    default:
      guard let isUnchecked = number(bytes, &offset) else { return false }
      node.kind = .number
      node.isUnchecked = isUnchecked
    }
    guard let length = Int32(exactly: offset - start) else { return false }
    node.count = length
    if node.isUnchecked { state.pointee.unchecked += 1 }
    nodes[index] = node
    return true
  }

  private func word(_ text: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> Bool {
    guard ByteText.isNext(text, bytes, at: offset) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }

  /// Skips a number. Returns whether it may be out of range; nil for anything else.
  private func number(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> Bool? {
    let start = offset
    func digits() -> Int {
      let start = offset
      while offset < bytes.count, bytes[offset] &- 0x30 <= 9 { offset += 1 }
      return offset - start
    }
    if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    let first = offset
    let count = digits()
    guard count > 0, count == 1 || bytes[first] != UInt8(ascii: "0") else { return nil }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      if digits() == 0 { return nil }
    }
    guard offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") else { return offset - start > 18 }
    offset += 1
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    return digits() == 0 ? nil : true
  }

  private func object(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, _ index: Int, _ depth: Int
  ) -> Bool {
    guard depth <= state.pointee.limits.depth, let base = bytes.baseAddress else { return false }
    nodes[index].kind = .object
    offset += 1
    var count = 0
    // A bit for each key. Two keys may have the same one.
    var keyBits: UInt64 = 0
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "}") {
      offset += 1
    } else {
      while true {
        guard count < Self.most.members, offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { return false }
        let (end, hasEscapes) = ByteText.endOfJSONString(bytes, from: offset + 1)
        guard let end, !hasEscapes, end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: ":"),
          end - offset <= min(state.pointee.limits.textSize, Int(Int32.max))
        else { return false }
        let key = offset + 1..<end
        offset = end + 2
        let child = state.pointee.count
        guard value(bytes, &offset, key: key, depth: depth + 1), offset < bytes.count else { return false }
        let bit = ByteText.bit(base + key.lowerBound, key.count)
        if keyBits & bit != 0, hasKey(of: child, before: child, in: index) { return false }
        keyBits |= bit
        count += 1
        offset += 1
        if bytes[offset - 1] == UInt8(ascii: ",") { continue }
        guard bytes[offset - 1] == UInt8(ascii: "}") else { return false }
        break
      }
    }
    state.pointee.unused += count
    close(index, count)
    return count <= state.pointee.limits.elementCount
  }

  private func array(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, _ index: Int, _ depth: Int
  ) -> Bool {
    guard depth <= state.pointee.limits.depth else { return false }
    nodes[index].kind = .array
    offset += 1
    var count = 0
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "]") {
      offset += 1
    } else {
      while true {
        guard value(bytes, &offset, key: 0..<0, depth: depth + 1), offset < bytes.count else { return false }
        count += 1
        offset += 1
        if bytes[offset - 1] == UInt8(ascii: ",") { continue }
        guard bytes[offset - 1] == UInt8(ascii: "]") else { return false }
        break
      }
    }
    close(index, count)
    return count <= state.pointee.limits.elementCount
  }

  private func close(_ index: Int, _ count: Int) {
    nodes[index].count = Int32(count)
    nodes[index].next = Int32(state.pointee.count)
  }

  /// Whether an earlier member of an object has the key of a node.
  private func hasKey(of node: Int, before end: Int, in object: Int) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    let (start, count) = (nodes[node].keyStart, nodes[node].keyCount)
    var index = object + 1
    while index < end {
      if nodes[index].keyCount == count, ByteText.equal(base + nodes[index].keyStart, base + start, Int(count)) {
        return true
      }
      index = Int(nodes[index].next)
    }
    return false
  }
}
