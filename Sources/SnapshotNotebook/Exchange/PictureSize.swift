import SnapshotStore

/// The width and height in the header of a PNG, JPEG or GIF. The bytes may come from anyone, so every read is checked
/// against their end.
struct PictureSize: Equatable {
  let width: Int
  let height: Int

  /// The number of bytes to read. The size in a JPEG comes after its metadata, which may contain a small picture.
  static let headerLength = 1 << 18

  /// Nil if the bytes are in none of the three formats, or end too soon.
  init?(_ bytes: [UInt8]) {
    guard let size = Self.png(bytes) ?? Self.gif(bytes) ?? Self.jpeg(bytes) else { return nil }
    (width, height) = size
  }

  private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    guard bytes.count >= 24, bytes.starts(with: start) else { return nil }
    return (number(bytes[16..<20]), number(bytes[20..<24]))
  }

  private static func gif(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 10, bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) else { return nil }
    return (number(bytes[6..<8].reversed()), number(bytes[8..<10].reversed()))
  }

  /// Walks the segments up to the one that begins a frame.
  private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var index = 2
    while index + 4 <= bytes.count, bytes[index] == 0xFF {
      let marker = bytes[index + 1]
      switch marker {
      case 0xFF: index += 1
      case 0x01, 0xD0...0xD7: index += 2
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard index + 9 <= bytes.count else { return nil }
        return (number(bytes[index + 7..<index + 9]), number(bytes[index + 5..<index + 7]))
      case 0xD8...0xDA: return nil
      default:
        let length = number(bytes[index + 2..<index + 4])
        if length < 2 { return nil }
        index += 2 + length
      }
    }
    return nil
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
