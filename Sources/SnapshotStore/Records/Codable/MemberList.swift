/// The members of a dictionary, found by key. Each is marked when it is read.
struct MemberList {
  private let members: [Item.Member]
  private var isUsed: [Bool]
  private var unusedCount: Int
  /// The expected position of the next key. Most values read their keys in the order in which they were written.
  private var next = 0
  private var positions: [ExactText: Int]?

  /// Nil if the item is not a dictionary.
  init?(_ item: Item) {
    guard let members = item.allMembers else { return nil }
    self.members = members
    isUsed = Array(repeating: false, count: members.count)
    unusedCount = members.count
  }

  /// The keys converted to a type of keys. All of them are marked as read: a caller that asks for all is assumed to
  /// know them.
  mutating func keys<Key>(_ make: (String) -> Key?) -> [Key] {
    var keys: [Key] = []
    for index in members.indices {
      guard let key = make(members[index].key.text) else { continue }
      keys.append(key)
      use(index)
    }
    return keys
  }

  var firstUnused: Item.Member? { unusedCount == 0 ? nil : isUsed.firstIndex(of: false).map { members[$0] } }

  /// All members that were not read.
  var unused: [Item.Member] { members.indices.filter { !isUsed[$0] }.map { members[$0] } }

  mutating func value(_ key: ExactText) -> Item? {
    guard let position = position(of: key) else { return nil }
    use(position)
    next = position + 1
    return members[position].value
  }

  private mutating func use(_ position: Int) {
    if !isUsed[position] {
      isUsed[position] = true
      unusedCount -= 1
    }
  }

  private mutating func position(of key: ExactText) -> Int? {
    if next < members.count, members[next].key == key { return next }
    if members.count <= 16 { return members.firstIndex { $0.key == key } }
    if positions == nil {
      positions = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.key, $0) })
    }
    return positions?[key]
  }
}
