/// Fetching of many objects from the memory at once.
extension UnsafeBufferPointer where Element: AnyObject {
  /// Reads a word of each cache line of the objects, so that the processor fetches them all at the same time.
  ///
  /// It saves time before a loop that is long for each object. Such a loop would wait for the memory at each of them. A
  /// loop that counts references waits too, because a count is no plain read (decision 0012).
  ///
  /// - Parameter size: the size of an object in bytes, with its header. The objects must not change meanwhile.
  @inlinable
  func fetchObjects(size: Int) {
    withMemoryRebound(to: UnsafeRawPointer.self) { objects in
      var words = 0
      for object in objects {
        for offset in Swift.stride(from: 0, to: size, by: 64) {
          // The last line of an object may have fewer bytes than a word.
          words |= object.loadUnaligned(fromByteOffset: Swift.min(offset, size - 8), as: Int.self)
        }
      }
      // Always true, because an object begins with the address of its type. It needs all words, so the compiler cannot
      // leave the reads out.
      precondition(isEmpty || words != 0)
    }
  }
}
