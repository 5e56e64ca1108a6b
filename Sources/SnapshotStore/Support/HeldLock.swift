import SnapshotSystem

/// The small lock that the running thread holds, in debug builds. `Docs/LOCKS.md` says what must not happen under it.
enum HeldLock {
  /// Traps if the thread holds a small lock. Does nothing in a release build.
  ///
  /// - Parameter event: what would happen under it, for the message.
  @inline(__always)
  static func requireNone(_ event: @autoclosure () -> String) {
    #if DEBUG
      guard let held = pthread_getspecific(key) else { return }
      // The trap itself may take locks.
      pthread_setspecific(key, nil)
      fatalError(
        "\(event()) while this thread holds the lock of type \(String(reflecting: unsafeBitCast(held, to: Any.Type.self))). "
          + "Take what is needed out of the lock first; see Docs/LOCKS.md.")
    #endif
  }

  /// Forgets the small lock of the thread, because the code that holds it does not continue.
  static func forget() {
    #if DEBUG
      _ = exchange(nil)
    #endif
  }

  #if DEBUG
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      guard pthread_key_create(&key, nil) == 0 else { fatalError("pthread_key_create failed") }
      return key
    }()

    /// Notes which small lock the thread holds, by a type of its own, and gives the one that it held before.
    static func exchange(_ type: Any.Type?) -> Any.Type? {
      let outer = pthread_getspecific(key).map { unsafeBitCast($0, to: Any.Type.self) }
      pthread_setspecific(key, type.map { unsafeBitCast($0, to: UnsafeRawPointer.self) })
      return outer
    }
  #endif
}
