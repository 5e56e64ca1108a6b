/// The other processes that may have the file of a store open for writing.
///
/// ```swift
/// var options = StoreOptions()
/// options.access = .shared             // the app and its widget both write
/// options.journal = .beside()          // what arrives costs what changed
/// let store = try Store<Dashboard>.open(at: url, options: options)
/// ```
public enum StoreAccess: Sendable {
  /// None. The store holds the lock of the file until it is closed.
  case exclusive
  /// Other processes with shared stores, and short sessions such as ``Store/update(at:options:waitingAtMost:_:)``.
  ///
  /// The store holds the lock of the file only while it saves, and for some milliseconds while it takes in what others
  /// have saved. Before it writes, it takes that in, and makes its own changes on top. Changes of others have the
  /// origin ``Origin/file``.
  ///
  /// It takes in the changes of others in the background too. Call ``Store/suspend(flushing:)`` if the system ends
  /// programs that are stopped with a lock.
  ///
  /// While another process has the file open exclusively, changes stay in memory, and are saved when it is gone.
  case shared
}
