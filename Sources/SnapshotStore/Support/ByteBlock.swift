/// Bytes that never change after they were made.
final class ByteBlock: @unchecked Sendable {
  private enum Storage {
    case array([UInt8])
    case memory(UnsafeMutablePointer<UInt8>)
  }

  private let storage: Storage
  let count: Int

  init(_ bytes: [UInt8]) {
    storage = .array(bytes)
    count = bytes.count
  }

  /// Takes over memory that was allocated.
  init(adopting base: UnsafeMutablePointer<UInt8>, count: Int) {
    storage = .memory(base)
    self.count = count
  }

  deinit {
    if case .memory(let base) = storage { base.deallocate() }
  }

  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch storage {
    case .array(let bytes):
      try bytes.withUnsafeBufferPointer { bytes throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
    case .memory(let base): try body(UnsafeRawBufferPointer(start: base, count: count))
    }
  }
}
