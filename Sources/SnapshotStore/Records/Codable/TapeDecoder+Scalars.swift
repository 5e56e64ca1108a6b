/// Numbers and texts for `Codable`, from the bytes. The rules of `ItemDecoder` apply to every other form and type.
extension JSONTape {
  func isNull(_ node: Int) -> Bool { nodes[node].kind == .null }

  func bool(_ node: Int) throws -> Bool {
    switch nodes[node].kind {
    case .truth: true
    case .falsity: false
    default: try orFallBack { try ItemDecoder.bool(item(node), .record) }
    }
  }

  func text(_ node: Int) throws -> String {
    if nodes[node].kind == .text, let base = bytes.baseAddress {
      let content = UnsafeBufferPointer(start: base + nodes[node].start + 1, count: Int(nodes[node].count) - 2)
      if !nodes[node].hasEscapes { return String(checkedUTF8: content) }
      // A text that could stand for another value is read by the rules.
      if !StandIn.mayBegin(with: content[0]), let text = JSONEscapes.unescaped(content) {
        check(node)
        return text
      }
    }
    return try orFallBack { try ItemDecoder.string(item(node), .record) }
  }

  /// The seconds of a date that is written as text; nil for other forms, which the rules of `ItemDecoder` cover.
  func quickDate(_ node: Int) -> Double? {
    guard nodes[node].kind == .text, !nodes[node].hasEscapes, let base = bytes.baseAddress else { return nil }
    return TextDate.seconds(
      fast: UnsafeBufferPointer(start: base + nodes[node].start + 1, count: Int(nodes[node].count) - 2))
  }

  func integer<T: FixedWidthInteger>(_ node: Int) throws -> T {
    if let integer = quickInteger(node), let value = T(exactly: integer) { return value }
    return try orFallBack { try ItemDecoder.integer(item(node), .record) }
  }

  func double(_ node: Int) throws -> Double {
    if nodes[node].kind == .number {
      state.pointee.cursor.offset = nodes[node].start
      if let number = state.pointee.cursor.decimalNumber(), isAtEnd(of: node) { return number }
      if let number = quickInteger(node).flatMap({ NumberText.double($0) }) { return number }
    }
    return try orFallBack { try ItemDecoder.double(item(node), .record) }
  }

  func float(_ node: Int) throws -> Float { try orFallBack { try ItemDecoder.float(item(node), .record) } }

  /// An integer of few digits; nil for anything else.
  private func quickInteger(_ node: Int) -> Int64? {
    guard nodes[node].kind == .number else { return nil }
    state.pointee.cursor.offset = nodes[node].start
    guard let integer = state.pointee.cursor.decimalInteger(), isAtEnd(of: node) else { return nil }
    return integer
  }

  /// Whether a number was read to its last byte.
  private func isAtEnd(of node: Int) -> Bool {
    guard state.pointee.cursor.offset == nodes[node].start + Int(nodes[node].count) else { return false }
    check(node)
    return true
  }

  /// An array that contains only texts; nil for any other value.
  func texts(_ node: Int) throws -> [String]? {
    guard nodes[node].kind == .array else { return nil }
    var texts: [String] = []
    texts.reserveCapacity(Int(nodes[node].count))
    var index = node + 1
    while index < nodes[node].next {
      guard nodes[index].kind == .text else { return nil }
      texts.append(try text(index))
      index = Int(nodes[index].next)
    }
    return texts
  }

  /// The value as an item, for types and forms that have no quick way.
  func item(_ node: Int) throws -> Item {
    if node == Self.missing { return Item(.null) }
    var scanner = JSONScanner(bytes, of: state.pointee.source, limits: state.pointee.limits)
    scanner.offset = nodes[node].start
    let item = try scanner.value(depth: 3)
    for index in node..<Int(nodes[node].next) { check(index) }
    return item
  }

  private func check(_ node: Int) {
    guard nodes[node].isUnchecked else { return }
    nodes[node].isUnchecked = false
    state.pointee.unchecked -= 1
  }

  /// Falls back if an error is thrown: the strict way reports it.
  func orFallBack<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      fallBack()
      throw TapeFailure(error: error)
    }
  }
}
