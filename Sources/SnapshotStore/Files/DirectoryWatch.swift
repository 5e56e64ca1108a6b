import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Watches a directory of the machine: the file itself is another one after every save, and a watch on it would be blind.
final class DirectoryWatch: FileWatch {
  // Dispatch sources may be used from any thread; the type does not say so.
  private nonisolated(unsafe) let source: any DispatchSourceProtocol

  #if os(Linux)
    /// Uses `inotify(7)`. Nil if the system has no more watches to give.
    init?(_ name: String, in directory: String, _ changed: @escaping @Sendable () -> Void) {
      let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard descriptor >= 0 else { return nil }
      let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE
      guard inotify_add_watch(descriptor, directory, UInt32(events)) >= 0 else {
        close(descriptor)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global(qos: .utility))
      source.setEventHandler {
        if Self.takeEvents(from: descriptor).contains(where: { $0 == nil || $0 == name }) { changed() }
      }
      source.setCancelHandler { close(descriptor) }
      source.activate()
      self.source = source
    }

    /// The names that something happened to; nil for an event without a name, such as that some were dropped.
    private static func takeEvents(from descriptor: Int32) -> [String?] {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 8)
      defer { buffer.deallocate() }
      var names: [String?] = []
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return names }
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          let bytes = buffer[start..<min(count, start + Int(event.len))].prefix { $0 != 0 }
          names.append(bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self))
          offset = start + Int(event.len)
        }
      }
    }
  #else
    /// Uses a kernel queue on the directory. Not tried: nothing was run on Apple's systems.
    init?(_ name: String, in directory: String, _ changed: @escaping @Sendable () -> Void) {
      let descriptor = open(directory, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: .write, queue: .global(qos: .utility))
      source.setEventHandler(handler: changed)
      source.setCancelHandler { close(descriptor) }
      source.activate()
      self.source = source
    }
  #endif

  deinit { source.cancel() }
}
