import SnapshotStore

/// The bytes of a text file that another program may have written.
enum TextFile {
  /// The byte order mark in UTF-8.
  static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text without its byte order mark; nil if it is neither UTF-8, nor UTF-16 with such a mark.
  static func text(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: mark) { return utf8(bytes.dropFirst(mark.count)) }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), UInt16.init(bigEndian:)) }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), UInt16.init(littleEndian:)) }
    return utf8(bytes[...])
  }

  /// The same bytes in UTF-8, if they are UTF-16 with a byte order mark.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let isUTF16 = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    return isUTF16 ? text(of: bytes).map { Array($0.utf8) } ?? bytes : bytes
  }

  /// The bytes of a text. A text that begins with a byte order mark gets another one, which reading removes.
  static func bytes(of text: String) -> [UInt8] {
    let utf8 = Array(text.utf8)
    return utf8.starts(with: mark) ? mark + utf8 : utf8
  }

  private static func utf8(_ bytes: ArraySlice<UInt8>) -> String? { String(validating: bytes, as: UTF8.self) }

  /// Nil for an incomplete unit at the end, and for half of a surrogate pair.
  private static func utf16(_ bytes: ArraySlice<UInt8>, _ unit: (UInt16) -> UInt16) -> String? {
    guard bytes.count % 2 == 0 else { return nil }
    let units = bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 2).map { unit(bytes.loadUnaligned(fromByteOffset: $0, as: UInt16.self)) }
    }
    return String(validating: units, as: UTF16.self)
  }
}
