/// A value in which a search finds words: a text, an optional text, or a list of texts.
///
/// ```swift
/// struct Steps: SearchableText, Codable, Equatable {
///   var texts: [String]
///
///   func forEachText(_ body: (String) -> Void) { texts.forEach(body) }
/// }
///
/// let found = recipes.search(in: [\.steps], for: "butter")
/// ```
///
/// A type of your own that holds texts may conform, for instance an enumeration of blocks. A word is found if one of
/// the texts contains it. No word extends over two texts.
public protocol SearchableText: Sendable {
  /// Calls `body` with each of the texts.
  func forEachText(_ body: (String) -> Void)

  /// Whether there is exactly one text. A search in it ends at the first word that is missing. False by default, which
  /// is always right.
  var isOneText: Bool { get }
}

extension SearchableText {
  /// False.
  @inlinable public var isOneText: Bool { false }
}

extension String: SearchableText {
  /// Calls `body` with the text itself.
  @inlinable
  public func forEachText(_ body: (String) -> Void) { body(self) }
  /// True.
  @inlinable public var isOneText: Bool { true }
}

extension Optional: SearchableText where Wrapped: SearchableText {
  /// Calls `body` with the texts of the value; nil has none.
  @inlinable
  public func forEachText(_ body: (String) -> Void) { self?.forEachText(body) }
}

extension Array: SearchableText where Element: SearchableText {
  /// Calls `body` with the texts of all elements.
  @inlinable
  public func forEachText(_ body: (String) -> Void) {
    for element in self { element.forEachText(body) }
  }
}

extension SearchQuery {
  /// A property in which a search looks. A key path such as `\.title` is one, and so is a function.
  public typealias Property<Value> = @Sendable (Value) -> any SearchableText
}
