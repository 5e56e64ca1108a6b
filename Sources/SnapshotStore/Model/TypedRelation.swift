/// A relation with the types of its records.
struct TypedRelation<Root: Model, Value: Record, Target: Record>: RelationHooks {
  let records: TablePath<Root, Value>
  let index: Index<Value, Target.ID>
  let targets: TableReadPath<Root, Target>
  let action: Relation<Root>.OnRemove<Value, Target>.Action

  func follow(_ before: Root, _ value: inout Root) throws -> Bool {
    var hasFollowed = false
    for id in removedTargets(value, since: before) {
      let referring = Array(value[keyPath: records].records(in: index, at: id))
      if referring.isEmpty { continue }
      switch action {
      case .refuse: return false
      case .cascade: value[keyPath: records].remove(referring.map(\.id))
      case .clear(let clear):
        for var record in referring {
          clear(&record, id)
          try value[keyPath: records].upsert(record)
        }
      }
      hasFollowed = true
    }
    return hasFollowed
  }

  var validations: [Validation<Root>] {
    let references = Validation<Root>(name: "relation \(index.name)", isOnRecords: true) { before, value, _ in
      let changes = value[keyPath: records].changes(from: before[keyPath: records])
      return changes.compactMap(\.after).flatMap { record in
        missing(record, value).map { id in
          Violation(
            place: "\(name(of: records)) \(record.id)",
            message: "its \(index.name) \("\(id)".quotedForMessage()) does not exist")
        }
      }
    }
    guard case .refuse = action else { return [references] }
    let removals = Validation<Root>(name: "removal \(index.name)", isOnRecords: false) { before, value, _ in
      removedTargets(value, since: before).compactMap { id -> Violation? in
        let table = value[keyPath: records]
        guard let first = table.records(in: index, at: id).first(where: { _ in true }) else { return nil }
        let more = table.count(in: index, at: id) - 1
        let others = more > 0 ? ", and \(more.counted("other")) in \(name(of: records))" : ""
        return Violation(
          place: "\(name(of: targets)) \(id)",
          message:
            "it is the \(index.name) of \(name(of: records)) \(first.id)\(others): remove or change what refers to it")
      }
    }
    return [references, removals]
  }

  func takeBack(in value: inout Root, from values: [Root]) -> [Violation] {
    if case .clear = action { return [] }
    guard let targets = targets as? WritableKeyPath<Root, Table<Target>> else { return [] }
    var takenBack: [Violation] = []
    let removed = Set(values.flatMap { removedTargets(value, since: $0) })
    var open = removed.sorted()
    while let id = open.popLast() {
      if value[keyPath: targets].contains(id) { continue }
      let without = values.filter { !$0[keyPath: targets].contains(id) }
      let newReference = value[keyPath: records].records(in: index, at: id).first { record in
        without.allSatisfy { isNew(record, since: $0, to: id) }
      }
      guard let newReference, let target = values.lazy.compactMap({ $0[keyPath: targets][id] }).first,
        // It may not fit any more, because another record has its unique key.
        (try? value[keyPath: targets].insert(target)) != nil
      else { continue }
      takenBack.append(
        Violation(
          place: "\(name(of: targets)) \(id)",
          message:
            "removed by one side, and restored for \(name(of: records)) \(newReference.id), which the other side has changed"
        ))
      // In a tree, what was restored may refer to what was looked at before.
      if let record = target as? Value { open += missing(record, value).filter(removed.contains) }
    }
    return takenBack
  }

  /// Whether a record is an edit beside the removal: the side without the target lacks the record, or has another
  /// version of it.
  private func isNew(_ record: Value, since other: Root, to id: Target.ID) -> Bool {
    guard let known = other[keyPath: records][record.id] else { return true }
    return known != record || !ids(of: known).contains(id)
  }

  func mayNeedRepair(_ value: Root, after changes: ChangeSet<Root>) -> Bool {
    if case .clear = action { return false }
    return changes.changes(in: records).contains { change in
      value[keyPath: records][change.id].map { !missing($0, value).isEmpty } ?? false
    }
      || removedTargets(value, since: changes.before).contains {
        value[keyPath: records].count(in: index, at: $0) > 0
      }
  }

  private func removedTargets(_ value: Root, since before: Root) -> [Target.ID] {
    if value[keyPath: targets].isIdentical(to: before[keyPath: targets]) { return [] }
    return value[keyPath: targets].changes(from: before[keyPath: targets]).compactMap { $0.after == nil ? $0.id : nil }
  }

  /// The ids to which a record refers, each once.
  private func ids(of record: Value) -> [Target.ID] {
    let keys = index.keys(record).normalized
    return (0..<keys.count).map { keys[$0] }
  }

  /// Those that are not there.
  private func missing(_ record: Value, _ value: Root) -> [Target.ID] {
    ids(of: record).filter { !value[keyPath: targets].contains($0) }
  }

  private func name(of table: PartialKeyPath<Root>) -> String { Root.schema.name(of: table) ?? index.name }
}
