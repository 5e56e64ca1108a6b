import Dispatch
import SnapshotSystem
import Synchronization

/// Watches a directory of the machine, and a file in it if that is wished. A watch on a file alone would see nothing
/// after the file was replaced.
final class DirectoryWatch: FileWatch {
  /// The writes to the file that count.
  enum Writes {
    /// The closing of a file that was written to, where the system tells of that. Elsewhere each write.
    case closed
    case each
  }

  #if os(Linux)
    private let watch: Inotify.Watch

    /// - Parameter writes: the writes that count. The closing of a written file always does.
    /// - Throws: the errors of ``Inotify/add(_:in:eachWrite:_:)``.
    init(
      _ name: String, in directory: String, writes: Writes? = nil, _ changed: @escaping @Sendable () -> Void
    ) throws(SystemError) {
      watch = try Inotify.shared.add(name, in: directory, eachWrite: writes == .each, changed)
    }

    deinit { Inotify.shared.remove(watch) }
  #else
    /// A kernel queue on a file or a directory, and which one it is.
    private struct Queue: Sendable {
      // Dispatch sources may be used from any thread, but their type does not say so.
      nonisolated(unsafe) let source: any DispatchSourceProtocol
      let status: FileStatus

      init(
        _ path: String, _ events: DispatchSource.FileSystemEvent, on queue: DispatchQueue,
        _ changed: @escaping @Sendable () -> Void
      ) throws(SystemError) {
        let descriptor = open(path, O_EVTONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError(call: "open", number: errno) }
        var raw = stat()
        guard fstat(descriptor, &raw) == 0 else {
          let number = errno
          close(descriptor)
          throw SystemError(call: "fstat", number: number)
        }
        status = FileStatus(raw)
        source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: events, queue: queue)
        source.setEventHandler(handler: changed)
        source.setCancelHandler { close(descriptor) }
        source.activate()
      }
    }

    /// All events, one after the other.
    private let events = DispatchQueue(label: "SnapshotStore watch", qos: .utility)
    private let path: String
    private let changed: @Sendable () -> Void
    /// The queue on the directory tells of new and removed names only. So there is another one on the file with the
    /// name, if writes count and there is a file.
    private let queues = SmallLock<(directory: Queue?, file: Queue?)>((nil, nil))

    /// Untested: no test has run on Apple's systems.
    ///
    /// - Parameter writes: whether writes to the file count. The system tells of each write, not of the end of writing.
    /// - Throws: `EMFILE` or `ENFILE` if no descriptor is left; the other errors of `open(2)`.
    init(
      _ name: String, in directory: String, writes: Writes? = nil, _ changed: @escaping @Sendable () -> Void
    ) throws(SystemError) {
      path = "\(directory)/\(name)"
      self.changed = changed
      let queue = try Queue(directory, [.write, .rename, .delete], on: events) { [weak self] in
        if writes != nil { try? self?.followFile() }
        changed()
      }
      queues.withLock { $0.directory = queue }
      if writes == nil { return }
      let result = events.sync { Result { () throws(SystemError) in try followFile() } }
      try result.get()
    }

    deinit {
      let queues = queues.withLock { $0 }
      queues.directory?.source.cancel()
      queues.file?.source.cancel()
    }

    /// Watches the file that has the name now. Called on `events`. A look after this sees what was written before.
    private func followFile() throws(SystemError) {
      var raw = stat()
      let old = queues.withLock { $0.file }
      if let old, fstatat(AT_FDCWD, path, &raw, 0) == 0, FileStatus(raw).isSameFile(as: old.status) { return }
      var new: Queue?
      do throws(SystemError) {
        new = try Queue(path, [.write, .extend], on: events, changed)
      } catch {
        // The directory tells of the name when it is there.
        guard error.number == SystemError.noSuchFile else {
          queues.withLock { $0.file = nil }
          old?.source.cancel()
          throw error
        }
      }
      queues.withLock { [new] in $0.file = new }
      old?.source.cancel()
    }
  #endif
}
