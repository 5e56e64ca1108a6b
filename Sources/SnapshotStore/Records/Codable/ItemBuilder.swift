/// A tree under construction. `Encoder`s return containers that continue to write into it.
final class ItemBuilder: CodingParent {
  private enum State {
    case empty
    case scalar(Item)
    case array
    case dictionary
  }

  private enum Part {
    case item(Item)
    case builder(ItemBuilder)

    var item: Item {
      switch self {
      case .item(let item): item
      case .builder(let builder): builder.item
      }
    }
  }

  let place: CodingPlace
  /// The number of levels that may be nested below this value.
  let depth: Int
  private var state = State.empty
  private var elements: [Part] = []
  private var members: [(key: ExactText, value: Part)] = []
  /// The positions of members, once there are too many for a linear search.
  private var positions: [ExactText: Int] = [:]
  private var isSorted = false

  init(at place: CodingPlace, depth: Int) {
    self.place = place
    self.depth = depth
  }

  /// The encoded item. A value that encoded nothing is an empty dictionary.
  var item: Item {
    switch state {
    case .scalar(let item): return item
    case .array: return Item(.array(elements.map(\.item)))
    case .empty, .dictionary:
      let item = Item(.dictionary(members.map { Item.Member(key: $0.key, value: $0.value.item) }))
      return isSorted ? item.sortedAsMap() : item
    }
  }

  var count: Int { elements.count }

  func set(_ item: Item) { state = .scalar(item) }

  func becomeArray() { state = .array }

  /// - Parameter isSorted: whether the members have no order of their own.
  func becomeDictionary(isSorted: Bool) {
    self.isSorted = self.isSorted || isSorted
    state = .dictionary
  }

  func append(_ item: Item) { elements.append(.item(item)) }
  func set(_ item: Item, for key: String) { set(.item(item), for: ExactText(key)) }

  func appendNested() -> ItemBuilder {
    let builder = ItemBuilder(at: CodingPlace(under: self, PathKey(index: count)), depth: depth - 1)
    elements.append(.builder(builder))
    return builder
  }

  func setNested(for key: any CodingKey) -> ItemBuilder {
    let builder = ItemBuilder(at: CodingPlace(under: self, key), depth: depth - 1)
    set(.builder(builder), for: ExactText(key.stringValue))
    return builder
  }

  /// Sets the value of a key. A key that is encoded twice keeps its place and takes the later value.
  private func set(_ part: Part, for key: ExactText) {
    if let index = position(of: key) {
      members[index].value = part
      return
    }
    members.append((key, part))
    if members.count > 16 { positions[key] = members.count - 1 }
  }

  private func position(of key: ExactText) -> Int? {
    if members.count < 16 { return members.firstIndex { $0.key == key } }
    if positions.isEmpty {
      positions = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.key, $0) })
    }
    return positions[key]
  }
}

// MARK: - Collections without an order

protocol UnorderedMap { var count: Int { get } }
extension Dictionary: UnorderedMap {}

protocol UnorderedSet { var count: Int { get } }
extension Set: UnorderedSet {}

extension Item {
  /// A dictionary sorted by key. If its keys are not texts, it is an array of keys and values in turn.
  func sortedAsMap() -> Item {
    switch content {
    case .dictionary(let members):
      return Item(.dictionary(members.sorted { $0.key < $1.key }))
    case .array(let items):
      let pairs = stride(from: 0, to: items.count - 1, by: 2).map { (items[$0], items[$0 + 1]) }
      return Item(.array(pairs.sorted { Item.isOrderedBefore($0.0, $1.0) }.flatMap { [$0, $1] }))
    default: return self
    }
  }

  func sortedAsSet() -> Item {
    guard case .array(let items) = content else { return self }
    return Item(.array(items.sorted(by: Item.isOrderedBefore)))
  }
}
