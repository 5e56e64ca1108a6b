/// The stored properties of a model that could be single values, and that no field saves.
///
/// The properties of the model are searched, and those of structures in which a field saves something, such as parts.
/// Nothing is found in a model with a field whose place in memory is not known, such as a computed property.
struct ForgottenValues {
  /// The places of the fields in the model.
  private let saved: [Range<Int>]
  private(set) var paths: [String] = []

  init<Root: Model>(of value: Root) {
    let places = Root.schema.fields.map(\.place)
    saved = places.compactMap(\.self)
    if saved.count == places.count { search(value, "", at: 0) }
  }

  private mutating func search<Value>(_ value: Value, _ path: String, at start: Int) {
    var properties: [(label: String, value: Any, place: Range<Int>)] = []
    var end = 0
    for child in Mirror(reflecting: value).children {
      let (size, alignment) = Self.layout(of: child.value)
      let offset = (end + alignment - 1) / alignment * alignment
      end = offset + size
      properties.append((child.label ?? "", child.value, start + offset..<start + end))
    }
    // A custom mirror need not show the stored properties.
    guard end == MemoryLayout<Value>.size, !(value is any CustomReflectable) else { return }
    for (label, value, place) in properties where !place.isEmpty && !label.hasPrefix("$__lazy_storage") {
      check(value, path.isEmpty ? label : "\(path).\(label)", place)
    }
  }

  /// The size and alignment of the type that a property is declared with.
  private static func layout<Value>(of _: Value) -> (size: Int, alignment: Int) {
    (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
  }

  private mutating func check<Value>(_ value: Value, _ path: String, _ place: Range<Int>) {
    if saved.contains(where: { $0.lowerBound <= place.lowerBound && place.upperBound <= $0.upperBound }) { return }
    if saved.contains(where: place.overlaps) { return search(value, path, at: place.lowerBound) }
    if value is any Codable & Equatable { paths.append(path) }
  }
}
