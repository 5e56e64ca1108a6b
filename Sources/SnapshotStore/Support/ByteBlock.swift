/// Bytes that will not change any more.
final class ByteBlock: @unchecked Sendable {
  private let base: UnsafeMutablePointer<UInt8>
  let count: Int

  /// Takes over memory that was allocated.
  init(adopting base: UnsafeMutablePointer<UInt8>, count: Int) {
    self.base = base
    self.count = count
  }

  convenience init(_ bytes: [UInt8]) {
    let base = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
    bytes.withUnsafeBufferPointer { if let start = $0.baseAddress { base.initialize(from: start, count: $0.count) } }
    self.init(adopting: base, count: bytes.count)
  }

  deinit { base.deallocate() }

  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: count))
  }
}
