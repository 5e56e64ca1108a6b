/// What a model may hold beside its tables: a single value of any `Codable` type, such as settings.
///
/// ```swift
/// struct Dashboard: Model {
///   var posts = Table<Post>()
///   var theme = Theme()
///   static let schema = Schema<Dashboard>(name: "dashboard", version: 1) {
///     Field("posts", \.posts)
///     Field("theme", \.theme)
///   }
/// }
/// ```
///
/// A value is written as a whole whenever the file is, so it should be small: what there are many of belongs into a table. Whether it was
/// changed is found by its bytes in memory, and by what would be written where those differ. `==` decides what a change set calls a change.
public typealias SingleValue = Codable & Equatable & Sendable

/// Where in a model a single value is.
public typealias ValuePath<Root, Value: SingleValue> = any WritableKeyPath<Root, Value> & Sendable
