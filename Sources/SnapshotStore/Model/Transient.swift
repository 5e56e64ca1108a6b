/// A stored property of a model that is not saved, such as a selection or a cache.
///
/// ```swift
/// struct Library: Model {
///   var books = Table<Book>()
///   @Transient var selection: Book.ID?
///
///   static let schema = Schema(
///     "library", version: 1, Field("books", \Library.books))
/// }
/// ```
///
/// It must not be or contain a ``Table``. Use an array or a dictionary for records that are not saved.
///
/// It lives as long as the value, and a change of it alone makes no revision. A store traps when it is made if another
/// property could be saved and has no ``Field``.
@propertyWrapper
public struct Transient<Value: Sendable>: Sendable {
  /// The property.
  public var wrappedValue: Value

  /// A property that is not saved.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Transient: Equatable where Value: Equatable {}
extension Transient: Hashable where Value: Hashable {}
