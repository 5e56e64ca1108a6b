/// What a schema has of a model inside the model; see ``Field/init(part:prefix:)``.
struct Part<Root: Model>: Sendable {
  let fields: [Field<Root>]
  let defaults: [DefaultValue]
  let rules: [Rule<Root>]
  let validations: [Validation<Root>]
  let hasTombstones: Bool
  let hasPromises: Bool
  let settlesTransactions: Bool
  let hooks: any PartHooks<Root>

  init<Content: Model>(_ path: any WritableKeyPath<Root, Content> & Sendable, prefix: String) {
    let schema = Content.schema
    var lift = FieldLift(path: path, prefix: prefix)
    schema.visit(&lift)
    fields = zip(lift.fields, schema.fields).map { lifted, field in
      var lifted = field.isDerived ? lifted.derived() : lifted
      if field.isFlattened { lifted = lifted.flattened() }
      lifted.isOfPart = true
      return lifted
    }
    hasTombstones = schema.hasTombstones
    hasPromises = schema.hasPromises
    settlesTransactions = schema.settlesTransactions
    defaults = schema.defaults.map { DefaultValue(prefix + $0.table, $0.key, $0.value) }
    rules = schema.rules.map { rule in
      Rule(name: prefix + rule.name) { try rule.apply($0[keyPath: path], &$1[keyPath: path], $2) }
    }
    let hooks = TypedPartHooks(path: path, prefix: prefix)
    validations = schema.validations.map { validation in
      Validation(name: prefix + validation.name, isOnRecords: validation.isOnRecords) {
        hooks.placed(validation.check($0[keyPath: path], $1[keyPath: path], $2))
      }
    }
    self.hooks = hooks
  }
}

/// The place of a part in a model.
typealias PartPath<Root, Content: Model> = any WritableKeyPath<Root, Content> & Sendable

/// Converts the fields of a part's schema to fields of the whole.
private struct FieldLift<Root: Model, Content: Model>: FieldVisitor {
  let path: PartPath<Root, Content>
  let prefix: String
  var fields: [Field<Root>] = []

  mutating func visit<Value>(_ name: String, _ table: TablePath<Content, Value>) {
    fields.append(Field(prefix + name, joined(table) as TablePath<Root, Value>))
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Content, Value>) {
    fields.append(Field(prefix + name, joined(value) as ValuePath<Root, Value>))
  }

  /// Joins two key paths. Two sendable paths make a sendable one, but the compiler cannot know that. The cast checks
  /// only the class of the path, because `Sendable` does not exist at run time.
  private func joined<Value>(
    _ inner: any WritableKeyPath<Content, Value> & Sendable
  ) -> any WritableKeyPath<Root, Value> & Sendable {
    let (outer, inner): (WritableKeyPath<Root, Content>, WritableKeyPath<Content, Value>) = (path, inner)
    let whole: AnyKeyPath = outer.appending(path: inner)
    return whole as! any WritableKeyPath<Root, Value> & Sendable
  }
}
