/// Builds a schema from the fields and parts between its braces.
@resultBuilder
public enum SchemaBuilder<Root: Model> {
  /// A table or a single value.
  public static func buildExpression(_ field: Field<Root>) -> SchemaContent<Root> {
    SchemaContent(fields: [field], parts: [])
  }

  /// All tables and single values of another model.
  public static func buildExpression(_ part: Part<Root>) -> SchemaContent<Root> {
    SchemaContent(fields: part.fields, parts: [part])
  }

  /// All fields and parts together.
  public static func buildBlock(_ content: SchemaContent<Root>...) -> SchemaContent<Root> {
    SchemaContent(fields: content.flatMap(\.fields), parts: content.flatMap(\.parts))
  }
}

/// The fields and parts of a schema.
public struct SchemaContent<Root: Model>: Sendable {
  let fields: [Field<Root>]
  let parts: [Part<Root>]
}
