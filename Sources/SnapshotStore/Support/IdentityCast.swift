/// A value as one of a type that it is known to be of. Where both are known, it costs nothing.
@inlinable
package func identityCast<From, To>(_ value: From, to type: To.Type) -> To {
  precondition(From.self == To.self, "not the same type")
  return unsafeBitCast(value, to: type)
}
