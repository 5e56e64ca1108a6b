/// What the header of a file says beside its checksum.
struct HeaderContent {
  let schema: String
  let version: Int
  /// The names of the single values that are arrays. Some formats have no other way to tell them from tables.
  var arrays: [String] = []
  /// Where the records of tables have their ids, if that is not `id`.
  var idKeys: [(table: String, key: IDKey)] = []

  /// The members behind the version.
  ///
  /// - Parameter tellsSingleValues: whether the content of the file tells single values from tables.
  func more(tellsSingleValues: Bool = false) -> [Item.Member] {
    var members: [Item.Member] = []
    if !tellsSingleValues, !arrays.isEmpty {
      members.append(Item.Member(key: "values", value: Item(.array(arrays.map { Item(.string($0)) }))))
    }
    if !idKeys.isEmpty {
      let keys = idKeys.map { Item.Member(key: $0.table, value: $0.key.item) }
      members.append(Item.Member(key: "ids", value: Item(.dictionary(keys))))
    }
    return members
  }
}

/// Where the records of a table have their ids, if that is not `id`.
enum IDKey: Equatable, Sendable {
  case key(ExactText)
  /// No key has the id. It may be made of several properties.
  case nowhere

  /// The form in a header.
  var item: Item {
    switch self {
    case .key(let key): Item(.string(key.text))
    case .nowhere: Item(.null)
    }
  }

  /// Nil for a value that is none.
  init?(_ item: Item) {
    if case .null = item.content {
      self = .nowhere
    } else if let text = item.text {
      self = .key(ExactText(text))
    } else {
      return nil
    }
  }
}
