/// A model within a model: all tables and single values of its schema, for an app that has more than a model that exists already.
///
/// ```swift
/// struct Journal: Model {
///   var notebook = Notebook()
///   var places = Table<Place>()
///   static let schema = Schema<Journal>(name: "journal", version: 1) {
///     Part(\.notebook)
///     Field("places", \.places)
///   }
/// }
/// ```
///
/// The part's fields stand in the file beside the others, under their own names. Its defaults, rules and validations count as those of
/// the whole, and its functions that check, mend, date and merge are called for it, before those of the whole (``Model``).
///
/// The file has one version, that of the whole. Migrations of the part's schema are not run: when the part changes its shape, the whole
/// takes a new version, with a migration of its own. The part's ``Schema/tool`` does not know the whole, and is not advised.
public struct Part<Root: Model>: Sendable {
  let fields: [Field<Root>]
  let defaults: [DefaultValue]
  let rules: [Rule<Root>]
  let validations: [Validation<Root>]
  let hooks: any PartHooks<Root>

  /// A part by its key path.
  ///
  /// - Parameters:
  ///   - path: where the part is.
  ///   - prefix: what stands before the names of its fields in the file, such as `work.`, where two parts, or a part and the whole, would have a
  ///     name in common.
  public init<Content: Model>(_ path: PartPath<Root, Content>, prefix: String = "") {
    let schema = Content.schema
    var lift = FieldLift(path: path, prefix: prefix)
    schema.visit(&lift)
    fields = lift.fields.map { field in
      var field = field
      field.isOfPart = true
      return field
    }
    defaults = schema.defaults.map { DefaultValue(prefix + $0.table, $0.key, $0.value) }
    rules = schema.rules.map { rule in
      Rule(name: prefix + rule.name) { try rule.apply($0[keyPath: path], &$1[keyPath: path], $2) }
    }
    let hooks = TypedPartHooks(path: path, prefix: prefix)
    validations = schema.validations.map { validation in
      Validation(name: prefix + validation.name) {
        hooks.placed(validation.check($0[keyPath: path], $1[keyPath: path], $2))
      }
    }
    self.hooks = hooks
  }
}

/// Where in a model a part is.
public typealias PartPath<Root, Content: Model> = any WritableKeyPath<Root, Content> & Sendable

/// Makes the fields of a part's schema fields of the whole.
private struct FieldLift<Root: Model, Content: Model>: FieldVisitor {
  let path: PartPath<Root, Content>
  let prefix: String
  var fields: [Field<Root>] = []

  init(path: PartPath<Root, Content>, prefix: String) {
    self.path = path
    self.prefix = prefix
  }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Content, Value>) {
    fields.append(Field(prefix + name, joined(table) as TablePath<Root, Value>))
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Content, Value>) {
    fields.append(Field(prefix + name, joined(value) as ValuePath<Root, Value>))
  }

  /// Two paths that may be sent make one that may be sent, which the compiler cannot know. The cast checks the class of the path. It cannot
  /// check `Sendable`, which does not exist when the program runs.
  private func joined<Value>(
    _ inner: any WritableKeyPath<Content, Value> & Sendable
  ) -> any WritableKeyPath<Root, Value> & Sendable {
    let (outer, inner): (WritableKeyPath<Root, Content>, WritableKeyPath<Content, Value>) = (path, inner)
    let whole: AnyKeyPath = outer.appending(path: inner)
    return whole as! any WritableKeyPath<Root, Value> & Sendable
  }
}
