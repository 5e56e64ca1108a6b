/// The bytes of a file to be, in pieces, some of which are those of the file that it will replace.
struct PiecedBytes: Sendable {
  enum Piece: Sendable {
    case block(ByteBlock)
    /// Bytes that stand in the old file, and have to be what they were.
    case old(Stretch)
  }

  /// Bytes of a file that this process has seen before.
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

  /// Whether some of the bytes are in an old file.
  var hasOldPieces: Bool { pieces.contains { if case .old = $0 { true } else { false } } }

  /// All bytes, if none of them are in an old file.
  ///
  /// - Parameter threads: the most that may copy at once.
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

  /// Whether some bytes are exactly these.
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
