/// A value that a model may hold beside its tables: any `Codable` type, such as settings.
///
/// ```swift
/// struct Dashboard: Model {
///   var posts = Table<Post>()
///   var theme = Theme()
///   static let schema = Schema(
///     "dashboard", version: 1,
///     Field("posts", \Dashboard.posts),
///     Field("theme", \Dashboard.theme))
/// }
/// ```
///
/// A value is written as a whole in every save, so it should be small. Put a growing number of items into a table. A
/// change is detected by the value's bytes in memory and, if these differ, by its written form. `==` decides what
/// counts as a change in a change set.
public typealias SingleValue = Codable & Equatable & Sendable

/// The place of a single value in a model.
package typealias ValuePath<Root, Value: SingleValue> = any WritableKeyPath<Root, Value> & Sendable
