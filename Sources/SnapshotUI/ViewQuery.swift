/// The observed object of a property wrapper, kept from one update of a view to the next.
///
/// SwiftUI makes the wrapper anew with each update. A new object each time would compute the list each time.
@MainActor
final class ViewQuery<Source, Object: AnyObject> {
  /// The source is held, so that no other store gets its identity meanwhile.
  private var current: (key: ViewKey, source: Source, object: Object)?

  /// The object for a key. It is made if there is none, or one for another key.
  func object(for key: ViewKey, of source: Source, make: (Source) -> Object) -> Object {
    if let current, current.key == key { return current.object }
    let object = make(source)
    current = (key, source, object)
    return object
  }
}

/// The identity of a query: its store, and the values on which its conditions depend.
struct ViewKey: Hashable {
  let store: ObjectIdentifier
  let id: AnyHashable
}
