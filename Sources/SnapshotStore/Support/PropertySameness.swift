/// Whether two values of any type have the same bits in every stored property, whatever lies between these in memory.
///
/// `==` is not asked: a type need not have one, and it may leave properties out. The bytes of a whole value do not decide alone: what
/// lies between properties, and what an enumeration leaves unused, differs from copy to copy. Objects are the same if they are one;
/// strings and collections if they share their storage, or are small and alike. So two values can be told apart that are equal, and
/// nothing that was changed is taken for the same. O(stored properties).
///
/// Properties are those that `Mirror` shows. If they do not fill the size of their type, as Swift lays out structures
/// (docs/ABI/TypeLayout.rst of the Swift project), one was not shown, and all bytes count.
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
    // What a type shows of itself need not be its properties. Only the mirror of an optional is known.
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

  /// Whether two cases and what they hold are the same; nil if neither holds anything.
  private static func areSamePayloads(_ mirrors: (Mirror, Mirror)) -> Bool? {
    switch (mirrors.0.children.first, mirrors.1.children.first) {
    case (let payload?, let other?): payload.label == other.label && areSame(any: payload.value, other.value)
    case (nil, nil): nil
    default: false
    }
  }

  /// Whether two cases that hold nothing are one. Such a case leaves bytes as they are, so that only its description tells it. That of a case
  /// whose name is not known, as in an enumeration of C, is no more than its type's.
  private static func areSameCases<Value>(_ a: Value, _ b: Value) -> Bool {
    if a is any CustomDebugStringConvertible || a is any CustomStringConvertible || a is any TextOutputStreamable {
      return false
    }
    let name = String(reflecting: a)
    return name == String(reflecting: b) && name != String(reflecting: Value.self)
  }
}

/// Tells an optional of any type.
private protocol AnyOptional {}

extension Optional: AnyOptional {}
