import SnapshotFoundation

/// The single value whose members are members of the file. In a file, and in the lines of a journal, they look like
/// content that the schema does not know. So they are read as that, and gathered into the value afterwards.
extension SnapshotContent {
  /// Takes the members of the flattened value out of the unknown content. What the value does not know stays there:
  /// what it neither reads nor writes, and each table that it does not write.
  ///
  /// - Throws: the errors of decoding, at the place of a member.
  mutating func gather(_ options: DecodingOptions, in source: SourceText) throws(SnapshotError) {
    guard Root.schema.flattened != nil else { return }
    let found = unknown
    var gathering = Gathering<Root>(
      value: value, unknown: found, options: options, defaults: try Root().flattenedDefaults(), source: source)
    try Root.schema.visit(&gathering)
    value = gathering.value
    let members = try value.flattenedMembers()
    let written = Set(members.map(\.key))
    let isKept = { (name: String, isTable: Bool) in
      let name = ExactText(name)
      return !written.contains(name) && (gathering.unread.contains(name) || isTable && options.unknownKeys == .keep)
    }
    unknown.set(found.tables.filter { isKept($0.name, !$0.isSingleValue) })
    unknown.set(found.values.filter { isKept($0.name, false) })
    let left = Set(unknown.names)
    let kept = written.union(left)
    let hasOld = !kept.isSuperset(of: found.names)
    if hasOld || kept.count > Set(found.names).count {
      let read = found.flattenedMembers.filter { !left.contains($0.key) }
      unknown.flattened.note(FlattenedMembers(difference: hasOld ? .old : .incomplete, read: read, written: members))
    }
  }

  /// Puts the members of the flattened value into the unknown content. They are as the file has them. Those that were
  /// changed since are as the value writes them.
  mutating func scatter() throws(SnapshotError) {
    guard Root.schema.flattened != nil else { return }
    let members = unknown.flattened.members(of: try value.flattenedMembers())
    unknown.remove(Set(members.map(\.key)))
    unknown.set(
      unknown.tables
        + members.compactMap { member in
          member.value.elements.map { UntypedTable(name: member.key.text, items: $0, isSingleValue: true) }
        })
    unknown.set(
      unknown.values + members.filter { $0.value.elements == nil }.map { (name: $0.key.text, item: $0.value) })
  }
}

/// The members of the flattened value, if a file has others than the value writes.
struct FlattenedMembers: Sendable {
  enum Difference: Int, Sendable {
    case none
    /// The file lacks some, so the value has its initial ones.
    case incomplete
    /// The value has read some that it does not write. The next save must be a whole one, because no line can say that
    /// they are gone.
    case old
  }

  private(set) var difference = Difference.none
  /// The members that the value has read. Where a journal is recovered or merged, the line of an older program changes
  /// these, and not what the value makes of them.
  fileprivate var read: [Item.Member] = []
  /// What the value wrote when it had read them.
  private var written: [Item.Member] = []

  init() {}

  init(difference: Difference, read: [Item.Member], written: [Item.Member]) {
    (self.difference, self.read, self.written) = (difference, read, written)
  }

  /// Notes what was read later, in addition to what is known.
  mutating func note(_ later: FlattenedMembers) {
    if later.difference == .none { return }
    let most = later.difference.rawValue > difference.rawValue ? later.difference : difference
    self = later
    difference = most
  }

  /// The members that were read, with what has changed since.
  ///
  /// - Parameter members: those that the value writes now.
  func members(of members: [Item.Member]) -> [Item.Member] {
    if difference == .none { return members }
    let before = Dictionary(written.map { ($0.key, $0.value) }) { first, _ in first }
    let changed = members.filter { member in before[member.key].map { !Item.areSame($0, member.value) } ?? true }
    let gone = Set(before.keys).subtracting(members.map(\.key)).union(changed.map(\.key))
    return read.filter { !gone.contains($0.key) } + changed
  }
}

extension UnknownContent {
  /// All tables and single values, as members of a value.
  fileprivate var flattenedMembers: [Item.Member] {
    values.map { Item.Member(key: ExactText($0.name), value: $0.item) }
      + tables.map { Item.Member(key: ExactText($0.name), value: Item(.array($0.items))) }
  }
}

extension Model {
  /// The members of the flattened value as they are written, in the order of the value. None if the schema has none.
  ///
  /// - Throws: `unencodable`, also if the value is not written as a dictionary, or has a name that the file uses for
  ///   something else.
  func flattenedMembers() throws(SnapshotError) -> [Item.Member] {
    guard Self.schema.flattened != nil else { return [] }
    var search = WrittenMembers(root: self)
    try Self.schema.visit(&search)
    return search.members
  }

  /// The members of the value that a damaged file has lost.
  ///
  /// A value that reads another key than it writes may have a member from there. Then those are lost that are as their
  /// default, which it needs, and those that it has without such keys too. None of these keys may have that value. A
  /// member that is taken for lost by mistake would be replaced by an older one. So a doubt leaves it.
  ///
  /// - Parameters:
  ///   - names: those in the file.
  ///   - flattened: how the value was read.
  func lostMembers(
    besides names: Set<ExactText>, _ flattened: FlattenedMembers, _ defaults: [DefaultValue]
  ) throws(SnapshotError) -> [ExactText] {
    let written = try flattenedMembers()
    let missing = written.map(\.key).filter { !names.contains($0) }
    if flattened.difference != .old || missing.isEmpty { return missing }
    var search = LostMembers<Self>(
      read: flattened.read, written: written, defaults: defaults + (try Self().flattenedDefaults()))
    Self.schema.visit(&search)
    return missing.filter(search.keys.contains)
  }

  /// The members that differ from those of an older value. Nil if one is gone.
  func flattenedChanges(from old: Self) throws(SnapshotError) -> [Item.Member]? {
    let (before, after) = (try old.flattenedMembers(), try flattenedMembers())
    let known = Dictionary(before.map { ($0.key, $0.value) }) { first, _ in first }
    if !Set(known.keys).isSubset(of: after.map(\.key)) { return nil }
    return after.filter { member in known[member.key].map { !Item.areSame($0, member.value) } ?? true }
  }

  /// The properties of the flattened value as defaults, for keys that a file lacks.
  func flattenedDefaults() throws(SnapshotError) -> [DefaultValue] {
    guard let name = Self.schema.flattened else { return [] }
    return try flattenedMembers().map { DefaultValue(name.text, $0.key.text, UntypedValue($0.value)) }
  }
}

private struct WrittenMembers<Root: Model>: FieldVisitor {
  let root: Root
  private(set) var members: [Item.Member] = []

  init(root: Root) { self.root = root }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) throws(SnapshotError) {}

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) throws(SnapshotError) {
    guard Root.schema.flattened == ExactText(name) else { return }
    if let type = Value.self as? any AnyOptional.Type, type.isNested {
      throw SnapshotError(
        .unencodable, "the value may be nil, and nil cannot be the content of a file",
        advice: "Make its properties optional instead.")
    }
    let item = try ItemEncoder.item(forRecord: root[keyPath: path], at: name)
    if case .null = item.content { return }
    guard case .dictionary(let members) = item.content else {
      throw SnapshotError(
        .unencodable, "\(Value.self) has no named properties, so its value cannot be the content of a file",
        advice: "Put it into a struct, under a name.")
    }
    let others = Set(Root.schema.fields.map { ExactText($0.name) }).subtracting([ExactText(name)])
    if let taken = members.first(where: { $0.key == "snapshot" || others.contains($0.key) })?.key.text {
      let owner = taken == "snapshot" ? "the header" : "another field of the schema"
      throw SnapshotError(
        .unencodable,
        "\(Value.self) has a property \(taken.quotedForMessage()), which is the name of \(owner) in a file",
        advice: "Give it another name by CodingKeys.", dataPath: taken.escapedForMessage(limit: 60))
    }
    self.members = members
  }
}

/// The members that the flattened value has from no key of a file.
private struct LostMembers<Root: Model>: FieldVisitor {
  let read: [Item.Member]
  let written: [Item.Member]
  let defaults: [DefaultValue]
  var keys: Set<ExactText> = []

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {}

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    guard Root.schema.flattened == ExactText(name) else { return }
    let decoding = RecordDecoding<Value>(table: name, defaults: Root.schema.defaults + defaults, .keep)
    let needed = decoding.neededDefaults(for: Item(.dictionary(read)))
    let names = Set(written.map(\.key))
    let (known, old) = (read.filter { names.contains($0.key) }, read.filter { !names.contains($0.key) })
    // If it cannot be decoded without its old keys, that says nothing.
    let plain = try? decoding.decode(Item(.dictionary(known))).0
    let members = plain.flatMap { try? ItemEncoder.item(forRecord: $0).allMembers } ?? []
    let without = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    for member in written {
      let isDefault = needed[member.key].map { Item.areSame($0, member.value) } ?? false
      guard isDefault || Item.areSame(without[member.key], member.value) else { continue }
      if !old.contains(where: { Item.areSame($0.value, member.value) }) { keys.insert(member.key) }
    }
  }
}

/// Decodes the flattened value from all that the schema does not name.
private struct Gathering<Root: Model>: FieldVisitor {
  var value: Root
  let unknown: UnknownContent
  let options: DecodingOptions
  /// Those of the empty model, which count last.
  let defaults: [DefaultValue]
  let source: SourceText
  /// The names that the value has not read.
  var unread: Set<ExactText> = []

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) throws(SnapshotError) {}

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) throws(SnapshotError) {
    guard Root.schema.flattened == ExactText(name) else { return }
    let item = Item(.dictionary(unknown.flattenedMembers))
    let decoding = RecordDecoding<Value>(
      table: name, defaults: Root.schema.defaults + options.defaults + defaults, options.unknownKeys)
    do {
      let (value, members) = try decoding.decode(item)
      self.value[keyPath: path] = value
      unread = Set(members.map(\.key))
    } catch {
      var failure = SnapshotError.decoding(error, of: item, at: "", in: source, table: name, Root.schema)
      // The path begins with the dot before the first key.
      let path = (failure.dataPath ?? "").drop { $0 == "." }
      failure.dataPath = path.isEmpty ? nil : String(path)
      throw failure
    }
  }
}
