/// A record of a file without its type: values under keys, in the order of the file.
///
/// Keys are compared by their bytes, in O(number of keys). Two Unicode normalisations of a key are two keys. A loop
/// over the record visits all members in O(number of keys):
///
/// ```swift
/// for (key, value) in record { print(key, value.text ?? "") }
/// ```
public struct UntypedRecord: Sendable {
  private(set) var members: [Item.Member]
  /// The offset of the record in the file.
  let offset: Int

  init(members: [Item.Member], offset: Int) {
    self.members = members
    self.offset = offset
  }

  /// A record without keys.
  public init() { self.init(members: [], offset: 0) }

  /// A record with members in their order. O(members).
  ///
  /// - Parameter members: keys and values. A key that occurs twice is a programmer error, and traps.
  public init(uniqueKeysWithValues members: some Sequence<(key: String, value: UntypedValue)>) {
    self.init(members: members.map { Item.Member(key: $0.key, value: $0.value.item) }, offset: 0)
    if let twice = Item.duplicateKey(in: self.members) {
      fatalError("the key \(twice.key.text.quotedForMessage()) occurs twice: check the keys before")
    }
  }

  /// The keys, in their order.
  public var keys: [String] { members.map(\.key.text) }

  /// The value under a key; nil if there is none. Setting nil removes the key. A new key becomes the last one.
  public subscript(key: String) -> UntypedValue? {
    get { index(of: key).map { UntypedValue(members[$0].value) } }
    set {
      guard var item = newValue?.item else {
        if let index = index(of: key) { members.remove(at: index) }
        return
      }
      // An error about the value should at least give the place of the record.
      if item.offset == 0 { item.offset = offset }
      if let index = index(of: key) {
        members[index].value = item
      } else {
        members.append(Item.Member(key: key, value: item, keyOffset: offset))
      }
    }
  }

  /// Removes a key and returns its value.
  @discardableResult
  public mutating func remove(_ key: String) -> UntypedValue? {
    index(of: key).map { UntypedValue(members.remove(at: $0).value) }
  }

  /// Renames a key. It keeps its place. A missing key changes nothing.
  ///
  /// - Throws: ``SnapshotError`` with code `duplicate` if the record already has the new key.
  public mutating func rename(_ key: String, to new: String) throws(SnapshotError) {
    guard let index = index(of: key), ExactText(key) != ExactText(new) else { return }
    if self.index(of: new) != nil {
      throw SnapshotError(
        .duplicate, "\(key.quotedForMessage()) cannot be renamed: \(new.quotedForMessage()) already exists")
    }
    let old = members[index]
    members[index] = Item.Member(key: new, value: old.value, keyOffset: old.keyOffset)
  }

  var item: Item { Item(.dictionary(members), offset: offset) }

  private func index(of key: String) -> Int? { members.firstIndex { $0.key == ExactText(key) } }
}

extension UntypedRecord: ExpressibleByDictionaryLiteral {
  /// A record of keys and values. If a key is given twice, the last value counts.
  public init(dictionaryLiteral elements: (String, UntypedValue)...) {
    self.init()
    for (key, value) in elements { self[key] = value }
  }
}

extension UntypedRecord: Sequence {
  /// The members in their order. Each key occurs once.
  public func makeIterator() -> Iterator { Iterator(members: members.makeIterator()) }

  /// An iterator over the members of a record, in their order.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate var members: IndexingIterator<[Item.Member]>

    /// The next member; nil at the end.
    public mutating func next() -> (key: String, value: UntypedValue)? {
      guard let member = members.next() else { return nil }
      return (member.key.text, UntypedValue(member.value))
    }
  }

  /// The number of members. O(1).
  public var underestimatedCount: Int { members.count }
}
