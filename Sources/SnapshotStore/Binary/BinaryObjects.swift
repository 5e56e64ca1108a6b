/// The objects of a binary property list.
///
/// A list may use one object in several places. Long texts and data are cached and shared. A container that holds
/// itself is refused. The cost of the values is limited, so that a small file cannot unfold without end.
struct BinaryObjects {
  let source: SourceText
  let layout: BinaryLayout
  let limits: ReadLimits
  private var open: [Int] = []
  private var kept: [Int: Item.Content] = [:]
  private var keys: [Int: String] = [:]
  /// The remaining cost that values of the file may have.
  private(set) var budget: Int
  let bytes: [UInt8]
  private var uniqueKeys = KeyCache()

  init(source: SourceText, layout: BinaryLayout, limits: ReadLimits) {
    self.source = source
    bytes = source.bytes
    self.layout = layout
    self.limits = limits
    budget = max(2 * source.bytes.count, limits.unfolding)
  }

  /// The value of an object. `depth` is its nesting level in the document; the top is 1.
  mutating func item(_ object: Int, depth: Int) throws(SnapshotError) -> Item {
    let offset = try layout.offset(of: object)
    try spend(1, at: offset)
    if let content = kept[object] {
      try spend((content.length ?? 0) / 64, at: offset)
      return Item(content, offset: offset)
    }
    switch bytes[offset] & 0xF0 {
    case 0xA0, 0xD0:
      if open.contains(object) { throw failure("a container holds itself", offset) }
      if depth > limits.depth {
        throw failure("nested deeper than \(limits.depth.counted("level"))", offset, .limitExceeded)
      }
      open.append(object)
      let content = try container(object, depth: depth)
      open.removeLast()
      return Item(content, offset: offset)
    default:
      let content = try scalar(at: offset)
      if let length = content.length, length > 64 {
        try spend(length / 64, at: offset)
        kept[object] = content
      }
      return Item(content, offset: offset)
    }
  }

  /// A copy with another budget.
  func with(budget: Int) -> BinaryObjects {
    var copy = self
    copy.budget = budget
    return copy
  }

  /// Forgets the containers that were open when reading failed, so that another object can be read.
  mutating func abandon() { open = [] }

  private mutating func spend(_ cost: Int, at offset: Int) throws(SnapshotError) {
    budget -= cost
    if budget < 0 {
      throw failure("the list unfolds into more than its size allows", offset, .limitExceeded)
    }
  }

  private mutating func container(_ object: Int, depth: Int) throws(SnapshotError) -> Item.Content {
    var items: [Item] = []
    if let elements = try elements(of: object) {
      for element in elements { items.append(try item(element, depth: depth + 1)) }
      return .array(items)
    }
    var members: [Item.Member] = []
    for (key, value, offset) in try self.members(of: object) {
      members.append(Item.Member(key: key, value: try item(value, depth: depth + 1), keyOffset: offset))
    }
    return .dictionary(members)
  }

  /// The objects of an array; nil if the object is not one.
  func elements(of array: Int) throws(SnapshotError) -> [Int]? {
    let offset = try layout.offset(of: array)
    guard bytes[offset] & 0xF0 == 0xA0 else { return nil }
    return try references(at: offset, perElement: 1)
  }

  /// The offset of the references in an array.
  func elementsOffset(of array: Int) throws(SnapshotError) -> Int {
    try extent(at: try layout.offset(of: array), elementWidth: layout.referenceWidth).start
  }

  /// The keys, value objects and key offsets of a dictionary.
  mutating func members(of dictionary: Int) throws(SnapshotError) -> [(key: String, value: Int, keyOffset: Int)] {
    let offset = try layout.offset(of: dictionary)
    guard bytes[offset] & 0xF0 == 0xD0 else { throw failure("expected a dictionary", offset, .wrongSchema) }
    let references = try references(at: offset, perElement: 2)
    let count = references.count / 2
    var result: [(key: String, value: Int, keyOffset: Int)] = []
    for index in 0..<count {
      let keyOffset = try layout.offset(of: references[index])
      result.append((try key(references[index], at: keyOffset), references[count + index], keyOffset))
    }
    let keys = result.map { Item.Member(key: $0.key, value: Item(.null), keyOffset: $0.keyOffset) }
    if let member = uniqueKeys.duplicate(in: keys) {
      throw failure("the key \(member.key.text.quotedForMessage()) occurs twice", member.keyOffset, .duplicate)
    }
    return result
  }

  /// The text of a key. Most dictionaries share their keys, and a key may be long, so each key is decoded once.
  private mutating func key(_ object: Int, at offset: Int) throws(SnapshotError) -> String {
    if let key = keys[object] {
      try spend(key.utf8.count / 64, at: offset)
      return key
    }
    let marker = bytes[offset] & 0xF0
    guard marker == 0x50 || marker == 0x60, case .string(let key) = try text(at: offset) else {
      throw failure("a key is not text", offset)
    }
    // The first use is charged too. So the total cost does not depend on how the list is divided into parts.
    try spend(key.utf8.count / 64, at: offset)
    keys[object] = key
    return key
  }

  func failure(_ message: String, _ offset: Int, _ code: SnapshotError.Code = .malformed) -> SnapshotError {
    SnapshotError(code, message, position: source.position(offset))
  }

  private func references(at offset: Int, perElement: Int) throws(SnapshotError) -> [Int] {
    let width = layout.referenceWidth
    let (count, start) = try extent(at: offset, elementWidth: width * perElement)
    if count > limits.elementCount { throw failure(limits.countMessage, offset, .limitExceeded) }
    var references: [Int] = []
    references.reserveCapacity(count * perElement)
    for index in 0..<count * perElement {
      let reference = BinaryLayout.integer(bytes, at: start + index * width, width: width)
      guard reference < UInt64(layout.objectCount) else {
        throw failure("a reference to an object that does not exist", start + index * width)
      }
      references.append(Int(reference))
    }
    return references
  }
}
