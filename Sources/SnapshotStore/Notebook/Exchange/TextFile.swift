/// The bytes of a text file that someone else may have written.
enum TextFile {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text without the mark that tells its encoding; nil if it is neither UTF-8, nor UTF-16 with such a mark.
  static func text(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: mark) { return utf8(bytes.dropFirst(mark.count)) }
    if bytes.starts(with: [0xFE, 0xFF]) { return bytes.dropFirst(2).withUnsafeBytes { UTF16Text.text(of: $0) } }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(reversed: bytes.dropFirst(2)) }
    return utf8(bytes[...])
  }

  /// The bytes of a text. One that begins with the mark itself gets another one, which reading takes off.
  static func bytes(of text: String) -> [UInt8] {
    let utf8 = Array(text.utf8)
    return utf8.starts(with: mark) ? mark + utf8 : utf8
  }

  private static func utf8(_ bytes: ArraySlice<UInt8>) -> String? {
    let isValid = bytes.withUnsafeBufferPointer { UTF8Check.firstInvalidOffset(in: $0, 0..<$0.count) == nil }
    return isValid ? String(decoding: bytes, as: UTF8.self) : nil
  }

  private static func utf16(reversed bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count % 2 == 0 else { return nil }
    var units = Array(bytes)
    for index in stride(from: 0, to: units.count, by: 2) { units.swapAt(index, index + 1) }
    return units.withUnsafeBytes { UTF16Text.text(of: $0) }
  }
}
