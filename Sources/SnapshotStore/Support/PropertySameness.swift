/// Compares the stored properties of two values of any type, bit by bit.
///
/// - `==` is not used. A type need not have it, and it may leave properties out.
/// - The bytes of a whole value do not decide alone. Padding, and bits that an enumeration does not use, differ between
///   copies.
/// - Objects are the same if they are identical. Strings and collections are the same if they share storage, or are
///   small and have the same bits.
///
/// So equal values may be reported as different, but a changed value is never reported as the same. O(stored
/// properties).
///
/// The properties are those that `Mirror` shows. Swift's layout of structures (docs/ABI/TypeLayout.rst of the Swift
/// project) gives the size that they must fill. If they do not fill it, one was not shown, and all bytes are compared.
enum PropertySameness {
  static func areSame<Value>(_ a: Value, _ b: Value) -> Bool { haveSameBytes(a, b) || areSame(any: a, b) }

  private static func haveSameBytes<Value>(_ a: Value, _ b: Value) -> Bool {
    withUnsafeBytes(of: a) { bytesOfA in withUnsafeBytes(of: b) { bytesOfA.elementsEqual($0) } }
  }

  private static func areSame(any a: Any, _ b: Any) -> Bool {
    let type = type(of: a)
    return type == Swift.type(of: b) && areSame(a, b, of: type)
  }

  private static func areSame<Value>(_ a: Any, _ b: Any, of type: Value.Type) -> Bool {
    guard let a = a as? Value, let b = b as? Value else { return false }
    if haveSameBytes(a, b) { return true }
    let isOptional = type is any AnyOptional.Type
    // A custom mirror need not show the stored properties. Only the mirror of an optional is known to.
    if !isOptional, type is any CustomReflectable.Type { return false }
    let mirrors = (Mirror(reflecting: a), Mirror(reflecting: b))
    switch mirrors.0.displayStyle {
    case .struct, .tuple: return haveSameProperties(mirrors, size: MemoryLayout<Value>.size)
    case .optional: return areSamePayloads(mirrors) ?? true
    case .enum: return areSamePayloads(mirrors) ?? areSameCases(a, b)
    default: return false
    }
  }

  private static func haveSameProperties(_ mirrors: (Mirror, Mirror), size: Int) -> Bool {
    var end = 0
    for child in mirrors.0.children {
      let (length, alignment) = layout(of: child.value)
      end = (end + alignment - 1) / alignment * alignment + length
    }
    return end == size && zip(mirrors.0.children, mirrors.1.children).allSatisfy { areSame(any: $0.value, $1.value) }
  }

  /// The size and alignment of the type that a property is declared with.
  private static func layout<Value>(of _: Value) -> (size: Int, alignment: Int) {
    (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
  }

  /// Whether two cases have the same payload; nil if neither has one.
  private static func areSamePayloads(_ mirrors: (Mirror, Mirror)) -> Bool? {
    switch (mirrors.0.children.first, mirrors.1.children.first) {
    case (let payload?, let other?): payload.label == other.label && areSame(any: payload.value, other.value)
    case (nil, nil): nil
    default: false
    }
  }

  /// Whether two cases without payload are the same case. Only the description tells, because such a case does not set
  /// all bytes. An enumeration of C gives no name of its case: its description is that of the type.
  private static func areSameCases<Value>(_ a: Value, _ b: Value) -> Bool {
    if a is any CustomDebugStringConvertible || a is any CustomStringConvertible || a is any TextOutputStreamable {
      return false
    }
    let name = String(reflecting: a)
    return name == String(reflecting: b) && name != String(reflecting: Value.self)
  }
}

/// Recognises an optional of any type.
protocol AnyOptional {
  /// Whether it holds another optional.
  static var isNested: Bool { get }
}

extension Optional: AnyOptional {
  static var isNested: Bool { Wrapped.self is any AnyOptional.Type }
}
