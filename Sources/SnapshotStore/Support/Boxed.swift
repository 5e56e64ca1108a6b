/// A value behind one reference, so that a copy of what holds it is cheap. A model may be many references.
final class Box<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// An optional value behind one reference.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
  private var box: Box<Value>?

  init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

  var wrappedValue: Value? {
    get { box?.value }
    set { box = newValue.map(Box.init) }
  }
}
