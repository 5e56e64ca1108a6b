import Synchronization

/// What those who follow a store share, each under its name, for as long as one of them holds it.
final class Companions: Sendable {
  private struct Entry: Sendable {
    weak var object: (any AnyObject & Sendable)?
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// The object of a name, made if nobody has one.
  ///
  /// - Parameter make: called under a lock; it must not ask for a companion.
  func companion<Object: AnyObject & Sendable>(_ name: String, make: () -> Object) -> Object {
    entries.withLock { entries in
      if let object = entries[name]?.object as? Object { return object }
      let object = make()
      entries[name] = Entry(object: object)
      return object
    }
  }
}
