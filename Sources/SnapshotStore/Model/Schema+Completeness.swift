/// A check that a schema names every table and single value of its model.
extension Model {
  /// Traps if a stored table of the model is in no field of its schema, or in two. It would never be saved, or saved
  /// twice. Also for a property that could be a single value, and that no field saves.
  ///
  /// The empty value is searched: its stored properties, and the contents of structures, tuples, enumerations,
  /// optionals, collections and objects in it. So a table that does not exist in the empty value is not found. It may
  /// be in an optional that is nil or in an empty collection, unless that is an optional or a collection of tables. A
  /// table that a `customMirror` hides is not found either, nor one behind the ten thousandth value.
  static func requireCompleteSchema() {
    if Set(schema.fields.map(\.path)).count != schema.fields.count {
      fatalError("the schema “\(schema.name)” names one table or value of \(Self.self) twice")
    }
    let places = schema.fields.compactMap { field in field.place.map { (field.name, place: $0) } }
      .filter { !$0.place.isEmpty }.sorted { $0.place.lowerBound < $1.place.lowerBound }
    for (one, next) in zip(places, places.dropFirst()) where one.place.overlaps(next.place) {
      fatalError(
        "the fields “\(one.0)” and “\(next.0)” of the schema “\(schema.name)” overlap: one is a part of the other, and would be saved twice"
      )
    }
    let empty = Self()
    var fields = FieldNodes(root: empty)
    schema.visit(&fields)
    if let problem = StoredTables(of: empty).problem(fields.nodes, of: "\(Self.self)", schema: schema.name) {
      fatalError(problem)
    }
    if let first = ForgottenValues(of: empty).paths.first {
      fatalError(
        "\(Self.self): no field of the schema “\(schema.name)” leads to “\(first)”, which would never be saved. Add "
          + "Field(\"\(first)\", \\.\(first)), or declare it as @Transient var or as static if it is not to be saved.")
    }
  }
}

/// The root nodes of the tables in the fields. They are held, so that no other node gets the identity of one.
private struct FieldNodes<Root: Model>: FieldVisitor {
  let root: Root
  var nodes: [(name: String, node: AnyObject)] = []

  init(root: Root) { self.root = root }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    nodes.append((name, root[keyPath: table].node))
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}

/// The tables that are stored anywhere in a value.
private struct StoredTables {
  /// The paths of the tables, each with the root node that identifies it.
  private var tables: [(path: String, node: AnyObject)] = []
  /// Empty optionals and collections of tables, to which no field leads.
  private var unreachable: [String] = []
  private var objects: Set<ObjectIdentifier> = []
  /// The number of values that may still be examined.
  private var budget = 10_000

  init(of value: Any) { search(value, "") }

  private mutating func search(_ value: Any, _ path: String) {
    budget -= 1
    guard budget > 0 else { return }
    if let table = value as? any AnyTable { return tables.append((path, table.node)) }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .class {
      guard objects.insert(ObjectIdentifier(value as AnyObject)).inserted else { return }
    }
    if let holder = value as? any TableHolder, mirror.children.isEmpty, type(of: holder).canHoldTables {
      unreachable.append(path)
    }
    var part: Mirror? = mirror
    while let current = part {
      search(childrenOf: current, path)
      part = current.superclassMirror
    }
  }

  private mutating func search(childrenOf mirror: Mirror, _ path: String) {
    for (index, child) in mirror.children.enumerated() {
      guard budget > 0 else { return }
      switch mirror.displayStyle {
      case .optional: search(child.value, path)
      case .collection, .set, .dictionary: search(child.value, "\(path)[\(index)]")
      default:
        let label = child.label ?? "\(index)"
        search(child.value, path.isEmpty ? label : "\(path).\(label)")
      }
    }
  }

  /// The error in the fields of a schema, in words; nil if there is none.
  func problem(_ fields: [(name: String, node: AnyObject)], of type: String, schema: String) -> String? {
    let paths = Dictionary(grouping: tables) { ObjectIdentifier($0.node) }
    let names = Dictionary(grouping: fields) { ObjectIdentifier($0.node) }
    let forgotten = tables.filter { names[ObjectIdentifier($0.node)] == nil }.map(\.path) + unreachable
    if let first = forgotten.first {
      return
        "\(type): no field of the schema “\(schema)” leads to \(Self.list(forgotten)), which would never be saved. "
        + "Add a field, such as Field(\"\(first)\", \\.\(first)), or use another type than Table for records that are not saved."
    }
    for (node, paths) in paths {
      let names = names[node] ?? []
      if paths.count > names.count {
        return "\(type): \(Self.list(paths.map(\.path))) begin as one table, for which the schema “\(schema)” has "
          + "\(names.count.counted("field")): a table without a field would never be saved. Add the field that is missing."
      }
      if names.count > paths.count {
        return "\(type): the fields \(Self.list(names.map(\.name))) of the schema “\(schema)” lead to one table, which "
          + "would be saved twice. Remove one of them."
      }
    }
    return nil
  }

  private static func list(_ names: [String]) -> String { names.map { "“\($0)”" }.joined(separator: ", ") }
}

private protocol AnyTable {
  /// The node that identifies a table. A new table has a new one.
  var node: AnyObject { get }
}

extension Table: AnyTable {
  fileprivate var node: AnyObject { tree.root }
}

/// A type that may contain tables, and now has none.
private protocol TableHolder {
  static var canHoldTables: Bool { get }
}

extension TableHolder {
  fileprivate static func isTable(_ type: Any.Type) -> Bool {
    type is any AnyTable.Type || (type as? any TableHolder.Type)?.canHoldTables == true
  }
}

extension Optional: TableHolder {
  fileprivate static var canHoldTables: Bool { isTable(Wrapped.self) }
}

extension Array: TableHolder {
  fileprivate static var canHoldTables: Bool { isTable(Element.self) }
}

extension Dictionary: TableHolder {
  fileprivate static var canHoldTables: Bool { isTable(Value.self) }
}
