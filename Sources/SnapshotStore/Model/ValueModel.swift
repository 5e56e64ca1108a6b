import Synchronization

/// The model of a file that has one value: a struct of your own, without tables and a schema.
///
/// ``Store/value(_:at:options:)`` opens such a file. The properties of the value are those of the model, so
/// `store.write { $0.fontSize += 1 }` changes the value's own property.
///
/// In the file, each property is a member beside the header. A property that is nil has none.
@dynamicMemberLookup
public struct ValueModel<Value: SingleValue>: Model {
  /// Nil only in the empty model, which merging uses.
  var stored: Value?

  /// The empty model. It has no value yet.
  public init() {}

  /// A model with a value.
  public init(_ value: Value) { stored = value }

  /// The value as a whole. It traps in an empty model. A store always has a value.
  public var value: Value {
    get { stored ?? Self.noValue() }
    _modify {
      var value = stored ?? Self.noValue()
      stored = nil
      defer { stored = value }
      yield &value
    }
  }

  private static func noValue() -> Value {
    fatalError("there is no \(Value.self) in an empty model: make it with a value")
  }

  /// A property of the value.
  public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Member {
    get { value[keyPath: path] }
    _modify { yield &value[keyPath: path] }
  }

  /// A property of the value that cannot be set.
  public subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member { value[keyPath: path] }

  /// The schema of every value that is alone in its file: its name is `value`, and its version is 1.
  public static var schema: Schema<ValueModel> {
    let known = ValueSchemas.made.withLock { $0[ObjectIdentifier(Self.self)] }
    if let known = known as? MadeSchema<Self> { return known.schema }
    let made = MadeSchema(
      Schema<ValueModel>("value", version: 1, Field("value", \.stored).flattenedInAnyCase()))
    ValueSchemas.made.withLock { $0[ObjectIdentifier(Self.self)] = made }
    return made.schema
  }
}

/// A model that may be empty.
protocol OptionalModel {
  var isEmpty: Bool { get }
}

extension ValueModel: OptionalModel {
  var isEmpty: Bool { stored == nil }
}

/// The schemas of values, by their models. To make one takes some 40 µs, and a generic type has no stored static
/// properties.
private enum ValueSchemas {
  static let made = SmallLock<[ObjectIdentifier: any AnySchema]>([:])
}

private protocol AnySchema: AnyObject, Sendable {}

private final class MadeSchema<Root: Model>: AnySchema {
  let schema: Schema<Root>
  init(_ schema: Schema<Root>) { self.schema = schema }
}
