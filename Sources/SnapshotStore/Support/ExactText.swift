/// A text that is equal only to the same bytes.
///
/// Swift's own `==` and `hash(into:)` hold texts in different normalisations to be one: `"café"` with one scalar at its end and with two. In a
/// file they are two keys, and both have values.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: Self, b: Self) -> Bool {
    guard a.text.utf8.count == b.text.utf8.count else { return false }
    return a.text.utf8.withContiguousStorageIfAvailable { first in
      b.text.utf8.withContiguousStorageIfAvailable { second in
        guard let first = first.baseAddress, let second = second.baseAddress else { return true }
        return haveSameBytes(first, second, count: a.text.utf8.count)
      }
    }.flatMap { $0 } ?? a.text.utf8.elementsEqual(b.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ExactText: ExpressibleByStringLiteral {
  init(stringLiteral text: String) { self.init(text) }
}

extension ExactText: Comparable {
  /// By bytes, which is by scalars.
  static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}
