/// The bytes of a new file, in pieces. Some pieces are copied from the file that it replaces.
struct PiecedBytes: Sendable {
  enum Piece: Sendable {
    case block(ByteBlock)
    /// Bytes of the old file. Their digest must still be the same when they are copied.
    case old(Stretch)
  }

  /// A range of bytes in a file, with the digest that they had.
  struct Stretch: Sendable {
    let offset: Int
    let count: Int
    let digest: ByteDigest
  }

  private(set) var pieces: [Piece] = []
  private(set) var count = 0

  init() {}

  init(_ bytes: [UInt8]) { append(ByteBlock(bytes)) }

  mutating func append(_ block: ByteBlock) {
    guard block.count > 0 else { return }
    pieces.append(.block(block))
    count += block.count
  }

  mutating func append(_ stretch: Stretch) {
    pieces.append(.old(stretch))
    count += stretch.count
  }

  mutating func append(_ other: PiecedBytes) {
    pieces += other.pieces
    count += other.count
  }

  /// Whether a piece is in an old file.
  var hasOldPieces: Bool { pieces.contains { if case .old = $0 { true } else { false } } }

  /// All bytes; nil if a piece is in an old file.
  ///
  /// - Parameter threads: the most threads that copy at once.
  func array(threads: Int = 1) -> [UInt8]? {
    var starts: [Int] = []
    var blocks: [ByteBlock] = []
    var total = 0
    for piece in pieces {
      guard case .block(let block) = piece else { return nil }
      starts.append(total)
      blocks.append(block)
      total += block.count
    }
    return [UInt8](unsafeUninitializedCapacity: total) { target, initialized in
      let raw = UnsafeMutableRawBufferPointer(target)
      LargePages.use(for: raw)
      _ = Parallel.map(over: blocks.count, atLeast: 4, threads: threads) { range in
        for index in range {
          blocks[index].withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: raw[starts[index]..<starts[index] + bytes.count]).copyMemory(
              from: bytes)
          }
        }
      }
      initialized = total
    }
  }

  /// Whether these are the same bytes as in an array.
  func isEqual(to bytes: [UInt8]) -> Bool {
    guard bytes.count == count else { return false }
    return bytes.withUnsafeBytes { bytes in
      var start = 0
      return pieces.allSatisfy { piece in
        switch piece {
        case .block(let block):
          let own = UnsafeRawBufferPointer(rebasing: bytes[start..<start + block.count])
          start += block.count
          return block.withUnsafeBytes { $0.elementsEqual(own) }
        case .old(let stretch):
          let own = UnsafeRawBufferPointer(rebasing: bytes[start..<start + stretch.count])
          start += stretch.count
          return ByteDigest(own) == stretch.digest
        }
      }
    }
  }
}
