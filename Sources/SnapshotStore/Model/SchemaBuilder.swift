/// How a schema lists its fields and parts.
extension Schema {
  /// Builds a schema from the fields and parts between its braces.
  @resultBuilder
  public enum Builder {
    /// A table or a single value.
    public static func buildExpression(_ field: Field<Root>) -> Content { Content(fields: [field], parts: []) }

    /// All tables and single values of another model.
    public static func buildExpression(_ part: Part<Root>) -> Content { Content(fields: part.fields, parts: [part]) }

    /// All fields and parts together.
    public static func buildBlock(_ content: Content...) -> Content {
      Content(fields: content.flatMap(\.fields), parts: content.flatMap(\.parts))
    }
  }

  /// The fields and parts of a schema.
  public struct Content: Sendable {
    let fields: [Field<Root>]
    let parts: [Part<Root>]
  }
}
