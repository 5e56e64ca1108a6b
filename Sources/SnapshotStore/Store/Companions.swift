import Synchronization

/// Objects that the followers of a store share, each under a name. An object lives as long as a follower holds it.
final class Companions: Sendable {
  private struct Entry: Sendable {
    weak var object: (any AnyObject & Sendable)?
  }

  private let entries = SmallLock<[String: Entry]>([:])

  /// The object with a name. It is created if it does not exist.
  ///
  /// - Parameter make: creates the object. Called under no lock. Of two objects that two threads create at once, one is
  ///   dropped.
  func companion<Object: AnyObject & Sendable>(_ name: String, make: () -> Object) -> Object {
    if let object = entries.withLock({ $0[name]?.object as? Object }) { return object }
    let new = make()
    return entries.withLock { entries in
      if let object = entries[name]?.object as? Object { return object }
      entries[name] = Entry(object: new)
      return new
    }
  }
}
