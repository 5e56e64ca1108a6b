import SnapshotStore
// In release builds a small lock is a mutex of this module.
import Synchronization

/// The planned faults of the calls to a simulated disk.
final class Faults: Sendable {
  struct State: Sendable {
    var operations: [SimulatedDisk.Operation: Int32] = [:]
    var calls: [Int: InMemoryFileSystem.Event] = [:]
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let state = SmallLock(State())

  func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }

  func event(for call: InMemoryFileSystem.Call) -> InMemoryFileSystem.Event? {
    let (action, event) = state.withLock { state in
      let failure = state.operations[SimulatedDisk.Operation(of: call)].map { InMemoryFileSystem.Event.fail($0) }
      return (state.actions[call.number], state.calls[call.number] ?? failure)
    }
    // Called without the lock: it may use the disk as well.
    action?()
    return event
  }
}

extension SimulatedDisk.Operation {
  /// The kind of a call, from its name in the system.
  init(of call: InMemoryFileSystem.Call) {
    self =
      switch call.name {
      case "create": .create
      case "open", "openat": .open
      case "realpath": .resolve
      case "read", "pread": .read
      case "write", "pwrite": .write
      case "fsync", "fdatasync": .sync
      case "renameat": .rename
      case "linkat": .link
      case "unlinkat": .remove
      case "readdir": .list
      case "mkdirat": .makeDirectory
      case "flock": .lock
      default: .status
      }
  }
}
