/// The model of a file whose types are not known.
///
/// It names no table and reads a file of any schema and version. All tables and values are then content that the
/// schema does not know. A ``SnapshotContent`` keeps such content exactly, in every format. So a tool can convert,
/// compare, merge and change files of models that it does not have:
///
/// ```swift
/// let content = try SnapshotFile.readContent(UntypedModel.self, at: url)
/// for table in content.tables { print(table.name, table.count) }
/// try SnapshotFile.create(content, as: .xml, at: copy)
/// ```
///
/// The structure of a file is checked as strictly as with types. Types, rules and validations are not checked.
/// A ``Store`` needs types, so it traps for this model.
public struct UntypedModel: Model {
  /// A value without anything.
  public init() {}

  /// A schema without fields.
  public static let schema = Schema<UntypedModel>("untyped", version: 1)
}

extension Model {
  /// Whether it is ``UntypedModel``, which reads files of any schema.
  static var isUntyped: Bool { Self.self is UntypedModel.Type }

  /// Traps for ``UntypedModel``.
  static func requireTypes() {
    if isUntyped {
      fatalError("a store needs the types of its file; SnapshotFile.change changes a file without them")
    }
  }
}

extension SnapshotContent where Root == UntypedModel {
  /// A content without tables and single values.
  ///
  /// - Parameters:
  ///   - schema: the name of the schema in the file.
  ///   - version: the version of the schema, from 1.
  public init(schema: String, version: Int) {
    self.init(UntypedModel())
    unknown.frame = UnknownContent.Frame(schema: schema, version: version)
  }

  /// The name of the schema in the file.
  public var schemaName: String { unknown.frame?.schema ?? Root.schema.name }

  /// The version of the schema in the file.
  public var schemaVersion: Int { unknown.frame?.version ?? Root.schema.version }

  /// The names of the tables and single values, in the order of the file. O(tables).
  public var names: [String] { unknown.members.map(\.name) }

  /// The tables, in the order of the file. O(tables).
  ///
  /// An array in a file of another program is a table, unless the header names it as a single value.
  public var tables: [UntypedTable] {
    unknown.members.compactMap { member in
      if case .table(let table) = member, !table.isSingleValue { table } else { nil }
    }
  }

  /// The single values, in the order of the file. O(tables).
  public var values: [(name: String, value: UntypedValue)] {
    unknown.members.compactMap { member in
      switch member {
      case .value(let name, let item): (name, UntypedValue(item))
      case .table(let table): table.isSingleValue ? (table.name, UntypedValue(Item(.array(table.items)))) : nil
      }
    }
  }

  /// A table by its name, or a single value that is an array; nil if there is none. Setting nil removes it. A new table
  /// becomes the last one.
  ///
  /// Names are compared by their bytes. Reading costs O(tables), setting O(content of the table).
  public subscript(table name: String) -> UntypedTable? {
    get { unknown.tables.first { ExactText($0.name) == ExactText(name) } }
    set {
      var tables = unknown.tables.filter { ExactText($0.name) != ExactText(name) }
      if var table = newValue {
        table.name = name
        tables.append(table)
      }
      unknown.set(tables)
      unknown.frame?.note(name, isThere: newValue != nil)
    }
  }

  /// A single value by its name; nil if there is none.
  ///
  /// Setting nil removes the value. A new value becomes the last one. O(values), and O(content) for an array.
  public subscript(value name: String) -> UntypedValue? {
    get { values.first { ExactText($0.name) == ExactText(name) }?.value }
    set {
      let array = newValue?.item.elements.map { UntypedTable(name: name, items: $0, isSingleValue: true) }
      let isOld = { (table: UntypedTable) in table.isSingleValue && ExactText(table.name) == ExactText(name) }
      if array != nil || unknown.tables.contains(where: isOld) {
        unknown.set(unknown.tables.filter { !isOld($0) } + (array.map { [$0] } ?? []))
      }
      let value = array == nil ? newValue.map { [(name: name, item: $0.item)] } ?? [] : []
      unknown.set(unknown.values.filter { ExactText($0.name) != ExactText(name) } + value)
      unknown.frame?.note(name, isThere: newValue != nil)
    }
  }
}
