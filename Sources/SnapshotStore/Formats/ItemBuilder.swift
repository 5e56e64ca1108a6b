/// A tree under construction: `Encoder`s hand out containers that go on writing into it.
final class ItemBuilder {
  private enum State {
    case empty
    case scalar(Item)
    case array([Part])
    case dictionary([(key: String, value: Part)], positions: [String: Int])
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

  private var state = State.empty
  private var isSorted = false

  /// What was encoded. A value that encoded nothing is an empty dictionary.
  var item: Item {
    switch state {
    case .empty: Item(.dictionary([]))
    case .scalar(let item): item
    case .array(let parts): Item(.array(parts.map(\.item)))
    case .dictionary(let parts, _): dictionary(of: parts)
    }
  }

  private func dictionary(of parts: [(key: String, value: Part)]) -> Item {
    let item = Item(.dictionary(parts.map { Item.Member(key: $0.key, value: $0.value.item) }))
    return isSorted ? item.sortedAsMap() : item
  }

  var count: Int {
    if case .array(let parts) = state { return parts.count }
    return 0
  }

  func set(_ item: Item) { state = .scalar(item) }

  func becomeArray() {
    if case .array = state { return }
    state = .array([])
  }

  /// - Parameter isSorted: whether the members have no order of their own.
  func becomeDictionary(isSorted: Bool) {
    self.isSorted = self.isSorted || isSorted
    if case .dictionary = state { return }
    state = .dictionary([], positions: [:])
  }

  func append(_ item: Item) { append(.item(item)) }
  func set(_ item: Item, for key: String) { set(.item(item), for: key) }

  func appendNested() -> ItemBuilder {
    let builder = ItemBuilder()
    append(.builder(builder))
    return builder
  }

  func setNested(for key: String) -> ItemBuilder {
    let builder = ItemBuilder()
    set(.builder(builder), for: key)
    return builder
  }

  private func append(_ part: Part) {
    guard case .array(var parts) = state else { return }
    state = .empty
    parts.append(part)
    state = .array(parts)
  }

  /// A key that is encoded twice keeps its place and takes the later value.
  private func set(_ part: Part, for key: String) {
    guard case .dictionary(var parts, var positions) = state else { return }
    state = .empty
    if let index = positions[key] {
      parts[index].value = part
    } else {
      positions[key] = parts.count
      parts.append((key, part))
    }
    state = .dictionary(parts, positions: positions)
  }
}

// MARK: - Collections without an order

protocol UnorderedMap { var count: Int { get } }
extension Dictionary: UnorderedMap {}

protocol UnorderedSet { var count: Int { get } }
extension Set: UnorderedSet {}

extension Item {
  /// A dictionary sorted by key: of members, or, when its keys are not texts, an array of keys and values in turn.
  func sortedAsMap() -> Item {
    switch content {
    case .dictionary(let members):
      return Item(.dictionary(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
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
