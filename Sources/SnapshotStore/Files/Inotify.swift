#if os(Linux)
  import Dispatch
  import SnapshotSystem
  import Synchronization

  /// The one `inotify(7)` instance of the process. A user has only 128, and every store of every program may need a
  /// watch.
  ///
  /// A thread of its own reads the events. A source of Dispatch would need more descriptors, and Dispatch ends the
  /// process if there are none left.
  final class Inotify: Sendable {
    static let shared = Inotify()

    /// The kernel's number of a watch, and the client. The kernel has one watch for each directory.
    struct Watch: Hashable, Sendable {
      fileprivate let number: Int32
      fileprivate let client: Int
    }

    private struct Client: Sendable {
      let name: String
      let changed: @Sendable () -> Void
    }

    private struct State: Sendable {
      /// Negative before the first watch. Never closed.
      var descriptor: Int32 = -1
      var clients: [Int32: [Int: Client]] = [:]
      var lastClient = 0
    }

    private let state = SmallLock(State())

    /// The watched events: of names in a directory, and of the directory itself.
    private static let events =
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR

    /// Calls back after a possible change of a name in a directory, or of the directory itself.
    ///
    /// - Parameter eachWrite: whether each write to a file counts, and not only the end of writing. All watches of the
    ///   directory are then told of writes.
    /// - Throws: `EMFILE` or `ENFILE` if no instance or descriptor is left; `ENOSPC` if the user has no watch left.
    func add(
      _ name: String, in directory: String, eachWrite: Bool = false, _ changed: @escaping @Sendable () -> Void
    ) throws(SystemError) -> Watch {
      // Under the lock, so that removing and adding a watch in the same directory keep their order.
      try state.withLock { state throws(SystemError) in
        if state.descriptor < 0 {
          let descriptor = inotify_init1(Int32(IN_CLOEXEC))
          guard descriptor >= 0 else { throw SystemError(call: "inotify_init1", number: errno) }
          state.descriptor = descriptor
          DispatchQueue(label: "SnapshotStore watches").async { self.readEvents(from: descriptor) }
        }
        // Added to the events of an earlier watch of the directory.
        let events = Self.events | Int32(IN_MASK_ADD) | (eachWrite ? Int32(IN_MODIFY) : 0)
        let number = inotify_add_watch(state.descriptor, directory, UInt32(bitPattern: events))
        guard number >= 0 else { throw SystemError(call: "inotify_add_watch", number: errno) }
        state.lastClient += 1
        state.clients[number, default: [:]][state.lastClient] = Client(name: name, changed: changed)
        return Watch(number: number, client: state.lastClient)
      }
    }

    func remove(_ watch: Watch) {
      state.withLock { state in
        state.clients[watch.number]?[watch.client] = nil
        if state.clients[watch.number]?.isEmpty == true {
          state.clients[watch.number] = nil
          inotify_rm_watch(state.descriptor, watch.number)
        }
      }
    }

    private func readEvents(from descriptor: Int32) {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 8)
      defer { buffer.deallocate() }
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 {
          for changed in clients(of: Self.events(in: buffer[..<count])) { changed() }
        } else if errno != EINTR {
          // The manual describes no such error. The pause prevents a loop at full speed.
          usleep(100_000)
        }
      }
    }

    /// The clients of some events, each of them once.
    private func clients(of events: [Event]) -> [@Sendable () -> Void] {
      state.withLock { state in
        var found: [Int: @Sendable () -> Void] = [:]
        for event in events {
          let clients =
            event.number < 0 ? state.clients.values.flatMap { $0 } : (state.clients[event.number] ?? [:]).map { $0 }
          for (id, client) in clients where event.name == nil || event.name == client.name {
            found[id] = client.changed
          }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
      }
    }

    private struct Event {
      /// The number of the watch; negative if events were dropped, of any watch.
      let number: Int32
      /// Nil for an event of the directory itself.
      let name: String?
    }

    private static func events(in bytes: Slice<UnsafeMutableRawBufferPointer>) -> [Event] {
      let bytes = UnsafeRawBufferPointer(rebasing: bytes)
      var events: [Event] = []
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= bytes.count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let start = offset + MemoryLayout<inotify_event>.size
        let name = bytes[start..<min(bytes.count, start + Int(event.len))].prefix { $0 != 0 }
        events.append(Event(number: event.wd, name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self)))
        offset = start + Int(event.len)
      }
      return events
    }
  }
#endif
