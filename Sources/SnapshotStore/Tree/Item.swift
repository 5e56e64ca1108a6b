/// An untyped value of any format, with its place in the file.
struct Item: Sendable {
  var content: Content
  /// Whether the file has written more digits of a real than every `Double` keeps. A `Decimal` could tell them.
  var hasManyDigits = false
  /// Bytes from the beginning of the file; 0 for a value that was not read from a file.
  var offset = 0

  init(_ content: Content, offset: Int = 0) {
    self.content = content
    self.offset = offset
  }

  /// The kind and content of a value. Some formats cannot hold every kind; `Representation` lists the substitutes.
  enum Content: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    /// A number that no `Double` says, as JSON spells it. No type of a store has written it.
    case decimal(String)
    case string(String)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data([UInt8])
    case array([Item])
    case dictionary([Member])
  }

  /// A key and its value. Members keep their order.
  struct Member: Sendable {
    let key: ExactText
    var value: Item
    /// The offset of the key in the file.
    var keyOffset = 0

    init(key: ExactText, value: Item, keyOffset: Int = 0) {
      self.key = key
      self.value = value
      self.keyOffset = keyOffset
    }

    init(key: String, value: Item, keyOffset: Int = 0) {
      self.init(key: ExactText(key), value: value, keyOffset: keyOffset)
    }
  }

  /// The kind of the value in the file.
  var kind: UntypedValue.Kind {
    switch content {
    case .null: .null
    case .bool: .bool
    case .integer, .unsigned: .integer
    case .real: .real
    case .decimal: .decimal
    case .string: .text
    case .date: .date
    case .data: .data
    case .array: .array
    case .dictionary: .dictionary
    }
  }
}

extension Item {
  /// The value of a member.
  subscript(key: ExactText) -> Item? {
    guard case .dictionary(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The members of a dictionary; nil for anything else.
  var allMembers: [Member]? {
    if case .dictionary(let members) = content { members } else { nil }
  }

  /// The elements of an array; nil for anything else.
  var elements: [Item]? {
    if case .array(let items) = content { items } else { nil }
  }

  /// The depth of nested arrays and dictionaries.
  var levels: Int {
    switch content {
    case .array(let items): 1 + (items.lazy.map(\.levels).max() ?? 0)
    case .dictionary(let members): 1 + (members.lazy.map(\.value.levels).max() ?? 0)
    default: 0
    }
  }

  /// Finds the first key that occurs twice. Two normalisations of a key are two keys.
  static func duplicateKey(in members: [Member]) -> Member? {
    if members.count <= 16 {
      for (index, member) in members.enumerated() where members[..<index].contains(where: { $0.key == member.key }) {
        return member
      }
      return nil
    }
    var seen = Set<ExactText>(minimumCapacity: members.count)
    return members.first { !seen.insert($0.key).inserted }
  }
}

extension Item.Content {
  /// The content of an integer of any width. Beyond 64 bits it is decimal text.
  static func of(_ value: some FixedWidthInteger) -> Item.Content {
    if let integer = Int64(exactly: value) { return .integer(integer) }
    return UInt64(exactly: value).map(Item.Content.unsigned) ?? .string("\(value)")
  }
}
