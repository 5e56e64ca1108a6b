import Synchronization

/// Objects that the followers of a store share, each under a name. An object lives as long as a follower holds it.
final class Companions: Sendable {
  private struct Entry: Sendable {
    weak var object: (any AnyObject & Sendable)?
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// The object with a name. It is created if it does not exist.
  ///
  /// - Parameter make: creates the object. Called under a lock, so it must not call `companion`.
  func companion<Object: AnyObject & Sendable>(_ name: String, make: () -> Object) -> Object {
    entries.withLock { entries in
      if let object = entries[name]?.object as? Object { return object }
      let object = make()
      entries[name] = Entry(object: object)
      return object
    }
  }
}
