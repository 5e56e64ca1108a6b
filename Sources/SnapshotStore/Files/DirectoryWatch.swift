import Dispatch
import SnapshotSystem

/// Watches a directory of the machine. A watch on the file would see nothing, because every save replaces the file.
final class DirectoryWatch: FileWatch {
  #if os(Linux)
    private let watch: Inotify.Watch

    /// Whether it calls back when a file is closed that was written to.
    static let seesWrites = true

    /// - Parameter eachWrite: whether to call back after each write too.
    /// - Throws: the errors of ``Inotify/add(_:in:eachWrite:_:)``.
    init(
      _ name: String, in directory: String, eachWrite: Bool = false, _ changed: @escaping @Sendable () -> Void
    ) throws(SystemError) {
      watch = try Inotify.shared.add(name, in: directory, eachWrite: eachWrite, changed)
    }

    deinit { Inotify.shared.remove(watch) }
  #else
    // Dispatch sources may be used from any thread, but their type does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceProtocol

    static let seesWrites = false

    /// Uses a kernel queue on the directory. Untested: no test has run on Apple's systems.
    init(
      _ name: String, in directory: String, eachWrite: Bool = false, _ changed: @escaping @Sendable () -> Void
    ) throws(SystemError) {
      let descriptor = open(directory, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError(call: "open", number: errno) }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .rename, .delete], queue: .global(qos: .utility))
      source.setEventHandler(handler: changed)
      source.setCancelHandler { close(descriptor) }
      source.activate()
      self.source = source
    }

    deinit { source.cancel() }
  #endif
}
