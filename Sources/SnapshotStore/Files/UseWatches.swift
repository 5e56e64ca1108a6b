#if os(Linux)
  import SnapshotSystem
  import Synchronization

  /// The watches of the process on single files, as one more instance of `inotify(7)`.
  ///
  /// ``Inotify`` has a thread that reads its events some time later. Here the caller reads them, and knows what was
  /// done up to that moment. The kernel notes an event before the call that causes it returns.
  ///
  /// Without them, each line of a journal asks for the date of the last one: 260 µs instead of 221 for a transaction
  /// until it is on the disk (`snapshot-bench --notes 5000 --only durable-one`, medians of 4).
  final class UseWatches: Sendable {
    static let shared = UseWatches()

    fileprivate struct State: Sendable {
      /// Negative before the first watch. Never closed.
      var descriptor: Int32 = -1
      /// The numbers of the watches, and whether the file was used.
      var isUsed: [Int32: Bool] = [:]
    }

    private let state = SmallLock(State())

    /// Everything that precedes a change of the file, or after which its name leads to another one. Reads and writes
    /// are no such events: the owner of the file makes them too.
    private static let events = IN_OPEN | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF

    /// Whether a device number is that of a block device. Files on others may change without a trace in this kernel: on
    /// another machine, or in the layer below.
    static func isBlockDevice(_ device: UInt64) -> Bool { device & 0xFFFF_F000_000F_FF00 != 0 }

    /// Begins to watch a file. Nil if the system has no watch left, or does not permit it.
    func add(_ path: String) -> Int32? {
      state.withLock { state in
        if state.descriptor < 0 { state.descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) }
        let number = inotify_add_watch(state.descriptor, path, UInt32(bitPattern: Int32(Self.events)))
        // A second watch on a file would have the number of the first one.
        guard number >= 0, state.isUsed[number] == nil else { return nil }
        state.isUsed[number] = false
        return number
      }
    }

    func remove(_ number: Int32) {
      state.withLock { state in
        state.isUsed[number] = nil
        inotify_rm_watch(state.descriptor, number)
      }
    }

    /// Whether an event of this watch has come since it was added.
    func isUsed(_ number: Int32) -> Bool {
      state.withLock { state in
        state.readEvents()
        return state.isUsed[number] ?? true
      }
    }
  }

  extension UseWatches.State {
    /// Notes the events up to now.
    fileprivate mutating func readEvents() {
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        while true {
          let count = read(descriptor, buffer.baseAddress, buffer.count)
          if count > 0 {
            note(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          } else if errno != EINTR {
            if errno != EAGAIN { isUsed = isUsed.mapValues { _ in true } }
            return
          }
        }
      }
    }

    private mutating func note(_ bytes: UnsafeRawBufferPointer) {
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= bytes.count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
        if event.wd < 0 {
          // Events were dropped, of any watch.
          isUsed = isUsed.mapValues { _ in true }
        } else if isUsed[event.wd] != nil {
          isUsed[event.wd] = true
        }
      }
    }
  }

  /// A watch on a file of the machine.
  final class FileUseWatch: UseWatch {
    private let watches: UseWatches
    private let number: Int32

    /// - Parameter watches: the instance of inotify. A test that fills its queue has one of its own.
    init?(_ path: String, in watches: UseWatches = .shared) {
      guard let number = watches.add(path) else { return nil }
      self.watches = watches
      self.number = number
    }

    deinit { watches.remove(number) }

    var isUnused: Bool { !watches.isUsed(number) }
  }
#endif
