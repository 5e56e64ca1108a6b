/// The stored properties of a model that could be single values, and that no field saves.
///
/// The properties of the model are searched, and those of structures in which a field saves something, such as parts.
/// Nothing is found in a model with a field whose place in memory is not known, such as a computed property.
struct ForgottenValues {
  /// The places of the fields in the model.
  private let saved: [Range<Int>]
  private(set) var names: [String] = []

  init<Root: Model>(of value: Root) {
    let places = Root.schema.fields.map(\.place)
    saved = places.compactMap(\.self)
    if saved.count == places.count { search(value, "", at: 0) }
  }

  private mutating func search<Value>(_ value: Value, _ path: String, at start: Int) {
    let properties = Mirror(reflecting: value).children.map { ($0, StoredLayout(of: $0.value)) }
    var end = 0
    let places = properties.map { _, layout in
      let offset = (end + layout.alignment - 1) / layout.alignment * layout.alignment
      end = offset + layout.size
      return start + offset..<start + end
    }
    // A custom mirror need not show the stored properties.
    guard end == MemoryLayout<Value>.size, !(value is any CustomReflectable) else { return }
    for ((property, _), place) in zip(properties, places) where !place.isEmpty {
      guard let label = property.label, !label.hasPrefix("$__lazy_storage") else { continue }
      check(property.value, path.isEmpty ? label : "\(path).\(label)", place)
    }
  }

  private mutating func check<Value>(_ value: Value, _ path: String, _ place: Range<Int>) {
    if saved.contains(where: { $0.lowerBound <= place.lowerBound && place.upperBound <= $0.upperBound }) { return }
    if saved.contains(where: place.overlaps) { return search(value, path, at: place.lowerBound) }
    if value is any Codable & Equatable { names.append(path) }
  }
}

/// The size and alignment of the type that a property is declared with.
private struct StoredLayout {
  let size: Int
  let alignment: Int

  init<Value>(of value: Value) {
    (size, alignment) = (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
  }
}
