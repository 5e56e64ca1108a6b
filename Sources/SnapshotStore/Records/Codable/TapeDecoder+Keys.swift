/// The keys of objects.
extension JSONTape {
  /// The value of a member, which is marked as read.
  func member(_ key: some CodingKey, of object: Int) -> Int? {
    var text = key.stringValue
    guard let base = bytes.baseAddress, let index = text.withUTF8({ position(of: $0, in: object, base) }) else {
      return nil
    }
    use(index)
    nodes[object].found = Int32(index)
    return index
  }

  private func position(of key: UnsafeBufferPointer<UInt8>, in object: Int, _ base: UnsafePointer<UInt8>) -> Int? {
    func isKey(_ index: Int) -> Bool {
      guard Int(nodes[index].keyCount) == key.count else { return false }
      guard let text = key.baseAddress else { return true }
      return ByteText.equal(base + nodes[index].keyStart, text, key.count)
    }
    let end = Int(nodes[object].next)
    let found = Int(nodes[object].found)
    // Most values read their keys in the order in which they were written, and some ask twice for each.
    let next = found == 0 ? object + 1 : Int(nodes[found].next)
    if next < end, isKey(next) { return next }
    if found != 0, isKey(found) { return found }
    var index = object + 1
    while index < end {
      if isKey(index) { return index }
      index = Int(nodes[index].next)
    }
    return nil
  }

  private func use(_ index: Int) {
    guard !nodes[index].isUsed else { return }
    nodes[index].isUsed = true
    state.pointee.unused -= 1
  }

  /// The keys converted to a type of keys. These are marked as read.
  func keys<Key>(of object: Int, _ make: (String) -> Key?) -> [Key] {
    var keys: [Key] = []
    var index = object + 1
    while index < nodes[object].next {
      if let key = make(key(of: index)) {
        keys.append(key)
        use(index)
      }
      index = Int(nodes[index].next)
    }
    return keys
  }

  private func key(of index: Int) -> String {
    let start = nodes[index].keyStart
    return String(decoding: bytes[start..<start + Int(nodes[index].keyCount)], as: UTF8.self)
  }

  /// Whether all keys of an object are ASCII. Such keys are equal in Swift only if they have the same bytes.
  func hasPlainKeys(_ object: Int) -> Bool {
    var index = object + 1
    while index < nodes[object].next {
      let start = nodes[index].keyStart
      if bytes[start..<start + Int(nodes[index].keyCount)].contains(where: { $0 >= 0x80 }) { return false }
      index = Int(nodes[index].next)
    }
    return true
  }

  /// Notes the key by which a value is read, for its path.
  func note(_ key: any CodingKey, of node: Int) { state.pointee.keys.append((Int32(node), key)) }

  /// The keys from the record down to a value, and a fallback: a path leads to an error or to unusual code.
  func path(to node: Int) -> [any CodingKey] {
    fallBack()
    if node == Self.missing { return [PathKey.super] }
    var path: [any CodingKey] = []
    var container = Self.root
    while container < node {
      var (index, child) = (0, container + 1)
      while Int(nodes[child].next) <= node {
        child = Int(nodes[child].next)
        index += 1
      }
      let noted = state.pointee.keys.last { $0.node == child }?.key
      path.append(noted ?? (nodes[container].kind == .array ? PathKey(index: index) : PathKey(key(of: child))))
      container = child
    }
    return path
  }
}
