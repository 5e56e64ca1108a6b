/// A text that is equal only to a text of the same bytes.
///
/// Swift's own `==` and `hash(into:)` treat texts in different Unicode normalisations as equal. An example is `"café"`
/// whose last letter is one scalar or two. In a file these are two keys, and each has a value.
package struct ExactText: Hashable, Sendable {
  /// The text.
  package let text: String

  /// Wraps a text.
  @inlinable
  package init(_ text: String) { self.text = text }

  /// Compares the bytes of two texts. O(1) if their lengths differ.
  @inlinable
  package static func == (a: Self, b: Self) -> Bool { a.text.utf8.count == b.text.utf8.count && hasSameBytes(a, b) }

  /// Compares the bytes of two texts of the same length.
  @usableFromInline
  static func hasSameBytes(_ a: Self, _ b: Self) -> Bool {
    a.text.utf8.withContiguousStorageIfAvailable { first in
      b.text.utf8.withContiguousStorageIfAvailable { second in
        guard let first = first.baseAddress, let second = second.baseAddress else { return true }
        return haveSameBytes(first, second, count: a.text.utf8.count)
      }
    }.flatMap { $0 } ?? a.text.utf8.elementsEqual(b.text.utf8)
  }

  /// Hashes the bytes.
  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ExactText: ExpressibleByStringLiteral {
  /// The text of a literal in the program.
  @inlinable
  package init(stringLiteral text: String) { self.init(text) }
}

extension ExactText: Comparable {
  /// Orders by bytes of UTF-8. That is the order of the Unicode scalars.
  package static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}
