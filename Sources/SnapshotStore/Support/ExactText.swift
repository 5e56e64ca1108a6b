/// A text that is equal only to the same bytes.
///
/// Swift's own `==` and `hash(into:)` take texts in different normalisations for one: `"café"` with one scalar at its end
/// and with two. In a file they are two keys, and both have values.
///
/// ```swift
/// switch ExactText(key) {
/// case "title": title = value.text
/// default: break
/// }
/// ```
public struct ExactText: Hashable, Sendable {
  /// The text.
  public let text: String

  /// Wraps a text.
  @inlinable
  public init(_ text: String) { self.text = text }

  /// Whether both have the same bytes. O(1) if their lengths differ.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool { a.text.utf8.count == b.text.utf8.count && hasSameBytes(a, b) }

  /// The texts have one length.
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
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ExactText: ExpressibleByStringLiteral {
  /// A text in the program.
  @inlinable
  public init(stringLiteral text: String) { self.init(text) }
}

extension ExactText: Comparable {
  /// By bytes, which is by scalars.
  public static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}
