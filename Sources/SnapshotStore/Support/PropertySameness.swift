/// Whether two values of any type have the same bits in every stored property, whatever lies between these in memory.
///
/// `==` is not asked: a type need not have one, and it may leave properties out. The bytes of a whole value are not compared either: what
/// lies between properties, and what an enumeration leaves unused, differs from copy to copy. Objects are the same if they are one;
/// strings and collections if they share their storage, or are small and alike. So two values can be told apart that are equal, and
/// nothing that was changed is taken for the same. O(stored properties).
///
/// The places of properties follow from their types and order, as Swift lays out structures (docs/ABI/TypeLayout.rst of the Swift
/// project). If the size that comes of it is not that of the type, all bytes count.
enum PropertySameness {
  static func areSame<Value>(_ a: Value, _ b: Value) -> Bool {
    withUnsafeBytes(of: a) { bytesOfA in
      withUnsafeBytes(of: b) { areSame(Instance(a, bytesOfA), Instance(b, $0)) }
    }
  }

  /// A value, and the bytes where it stands. Nothing is made of the bytes, since only the value knows what it is.
  private struct Instance {
    let value: Any
    let bytes: UnsafeRawBufferPointer

    init(_ value: Any, _ bytes: UnsafeRawBufferPointer) { (self.value, self.bytes) = (value, bytes) }
  }

  private static func areSame(_ a: Instance, _ b: Instance) -> Bool {
    if a.bytes.elementsEqual(b.bytes) { return true }
    guard type(of: a.value) == type(of: b.value) else { return false }
    let mirrors = (Mirror(reflecting: a.value), Mirror(reflecting: b.value))
    // What a type shows of itself need not be its properties.
    if a.value is any CustomReflectable, mirrors.0.displayStyle != .optional { return false }
    switch mirrors.0.displayStyle {
    case .struct, .tuple: return haveSameProperties(a, b, mirrors)
    case .enum, .optional: return areSameCases(a.value, b.value, mirrors)
    default: return false
    }
  }

  private static func haveSameProperties(_ a: Instance, _ b: Instance, _ mirrors: (Mirror, Mirror)) -> Bool {
    let (children, others) = (Array(mirrors.0.children), Array(mirrors.1.children))
    guard children.count == others.count, let places = places(of: children, size: a.bytes.count) else { return false }
    return zip(children, others).enumerated().allSatisfy { index, pair in
      areSame(
        Instance(pair.0.value, UnsafeRawBufferPointer(rebasing: a.bytes[places[index]])),
        Instance(pair.1.value, UnsafeRawBufferPointer(rebasing: b.bytes[places[index]])))
    }
  }

  /// Where properties stand; nil if they would not fill the size.
  private static func places(of properties: [Mirror.Child], size: Int) -> [Range<Int>]? {
    var end = 0
    var places: [Range<Int>] = []
    for property in properties {
      let (length, alignment) = layout(of: property.value)
      let start = (end + alignment - 1) / alignment * alignment
      end = start + length
      places.append(start..<end)
    }
    return end == size ? places : nil
  }

  private static func layout<Value>(of _: Value) -> (size: Int, alignment: Int) {
    (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
  }

  /// Cases without a payload leave bytes as they are, and so may shorter payloads.
  private static func areSameCases(_ a: Any, _ b: Any, _ mirrors: (Mirror, Mirror)) -> Bool {
    switch (mirrors.0.children.first, mirrors.1.children.first) {
    case (let payload?, let other?):
      return payload.label == other.label ? areSamePayloads(payload.value, other.value) : false
    case (nil, nil):
      if mirrors.0.displayStyle == .optional { return true }
      // Only its description tells such a case.
      let isPlain = !(a is any CustomStringConvertible) && !(a is any CustomDebugStringConvertible)
      return isPlain && String(reflecting: a) == String(reflecting: b)
    default: return false
    }
  }

  private static func areSamePayloads<Payload>(_ a: Payload, _ other: Any) -> Bool {
    guard let b = other as? Payload else { return false }
    return areSame(a, b)
  }
}
