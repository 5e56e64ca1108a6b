/// The functions of a part of a model, without its type.
protocol PartHooks<Root>: Sendable {
  associatedtype Root: Model
  func violations(of root: Root) -> [Violation]
  func restoreReferenced(in root: inout Root, from values: [Root]) -> [Violation]
  func repair(in root: inout Root) -> [Violation]
  func removeDeleted(_ root: inout Root, _ salvaged: Root)
  func visit(_ visitor: some ModelVisitor, _ root: inout Root, before: Root)
  func mayNeedRepair(_ root: Root, after changes: ChangeSet<Root>) -> Bool
  func mergeBesideTables(in root: inout Root, base: Root, theirs: Root) -> Bool
  func replace(in root: inout Root, with other: Root)
}

/// A function on a model and on its parts, each with its own type. It also receives an earlier value.
protocol ModelVisitor {
  func visit<Root: Model>(_ value: inout Root, before: Root)
}

struct TypedPartHooks<Root: Model, Content: Model>: PartHooks {
  let path: PartPath<Root, Content>
  let prefix: String

  func violations(of root: Root) -> [Violation] { placed(root[keyPath: path].wholeViolations()) }

  func restoreReferenced(in root: inout Root, from values: [Root]) -> [Violation] {
    placed(root[keyPath: path].restoreReferencedAsWhole(from: values.map { $0[keyPath: path] }))
  }

  func repair(in root: inout Root) -> [Violation] { placed(root[keyPath: path].repairAll()) }

  func removeDeleted(_ root: inout Root, _ salvaged: Root) {
    root[keyPath: path].removeDeletedAsWhole(salvaged[keyPath: path])
  }

  func visit(_ visitor: some ModelVisitor, _ root: inout Root, before: Root) {
    visitor.visit(&root[keyPath: path], before: before[keyPath: path])
  }

  func mayNeedRepair(_ root: Root, after changes: ChangeSet<Root>) -> Bool {
    let changes = ChangeSet(
      before: changes.before[keyPath: path], after: changes.after[keyPath: path], revision: changes.revision,
      origin: changes.origin)
    return root[keyPath: path].mayNeedRepairAsWhole(after: changes)
  }

  func mergeBesideTables(in root: inout Root, base: Root, theirs: Root) -> Bool {
    root[keyPath: path].mergeBesideTables(base: base[keyPath: path], theirs: theirs[keyPath: path])
  }

  func replace(in root: inout Root, with other: Root) { root[keyPath: path] = other[keyPath: path] }

  /// The same violations, with the names that the fields have in the whole.
  func placed(_ violations: [Violation]) -> [Violation] {
    violations.map { Violation(place: prefix + $0.place, message: $0.message) }
  }
}

/// The functions of a whole model. They are called first for its parts, each of which handles only itself, and then for
/// the model.
extension Model {
  func wholeViolations() -> [Violation] {
    Self.schema.parts.flatMap { $0.hooks.violations(of: self) } + violations()
      + Self.schema.tombstones.flatMap { $0.hooks.violations(of: self) }
  }

  mutating func restoreReferencedAsWhole(from values: [Self]) -> [Violation] {
    var takenBack: [Violation] = []
    while true {
      for part in Self.schema.parts { takenBack += part.hooks.restoreReferenced(in: &self, from: values) }
      takenBack += Self.schema.repairHooks?.restoreReferenced(&self, values) ?? []
      let related = Self.schema.relations.flatMap { $0.hooks.takeBack(in: &self, from: values) }
      takenBack += related
      // A restored record may refer to others, also in a part.
      if related.isEmpty { return takenBack }
    }
  }

  mutating func removeDeletedAsWhole(_ salvaged: Self) {
    for part in Self.schema.parts { part.hooks.removeDeleted(&self, salvaged) }
    for tombstones in Self.schema.tombstones { tombstones.hooks.prune(&self, salvaged) }
    Self.schema.repairHooks?.removeDeleted(&self, salvaged)
  }

  /// A model without hooks, relations and tombstones has nothing to repair.
  func mayNeedRepairAsWhole(after changes: ChangeSet<Self>) -> Bool {
    Self.schema.parts.contains { $0.hooks.mayNeedRepair(self, after: changes) }
      || Self.schema.relations.contains { $0.hooks.mayNeedRepair(self, after: changes) }
      || Self.schema.tombstones.contains { $0.hooks.mayNeedRepair(self, after: changes) }
      || Self.schema.repairHooks?.mayNeedRepair(self, changes) ?? false
  }

  /// Merges stored properties beside the tables. `self` has those of the other writers, and the merged tables.
  ///
  /// - Parameters:
  ///   - base: the value that both were made from.
  ///   - theirs: the value that is merged into it.
  /// - Returns: whether the properties could be merged.
  mutating func mergeBesideTables(base: Self, theirs: Self) -> Bool {
    var isWhole = true
    for part in Self.schema.parts {
      isWhole = part.hooks.mergeBesideTables(in: &self, base: base, theirs: theirs) && isWhole
    }
    if theirs.isSame(besideFieldsAs: base) { return isWhole }
    if isSame(besideFieldsAs: base) {
      self = theirs.replacingFields(with: self)
      return isWhole
    }
    return Self.schema.repairHooks?.mergeUnsaved(&self, base, theirs) ?? false && isWhole
  }

  /// Whether two values have the same properties beside the tables, single values and parts.
  private func isSame(besideFieldsAs other: Self) -> Bool {
    PropertySameness.areSame(replacingFields(with: other), other)
  }

  /// The same value with the tables, single values and parts of another.
  private func replacingFields(with other: Self) -> Self {
    var value = replacingTables(with: other)
    for part in Self.schema.parts { part.hooks.replace(in: &value, with: other) }
    return value
  }
}
