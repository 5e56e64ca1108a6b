/// Casts a value to a type that it is known to have. The cast costs nothing where the compiler knows both types.
@inlinable
package func identityCast<From, To>(_ value: From, to type: To.Type) -> To {
  precondition(From.self == To.self)
  return unsafeBitCast(value, to: type)
}
