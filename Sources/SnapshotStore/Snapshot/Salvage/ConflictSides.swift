/// The two sides of a text with the conflict markers of git and similar tools.
///
/// In each side, the markers and the lines of the other side are blank. So every place is that of the whole text.
struct ConflictSides {
  private(set) var ours: [UInt8]
  private(set) var theirs: [UInt8]
  /// The lines of the common base, which are in neither side.
  private(set) var base: [Range<Int>] = []
  /// Where the first conflict begins.
  let offset: Int

  private enum Part { case both, ours, base, theirs }

  /// The sides; nil if the text has no conflict that is whole. O(bytes).
  init?(_ bytes: [UInt8]) {
    guard let offset = Self.firstLine(bytes, Array("<<<<<<<".utf8)) else { return nil }
    self.offset = offset
    (ours, theirs) = (bytes, bytes)
    var (part, isWhole) = (Part.both, false)
    var start = offset
    while start < bytes.count {
      let end = (bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count - 1) + 1
      let next = Self.part(behind: bytes[start..<end], part)
      if next == nil, part == .base { base.append(start..<end) }
      if next != nil || part == .theirs || part == .base { Self.blank(&ours, start..<end) }
      if next != nil || part == .ours || part == .base { Self.blank(&theirs, start..<end) }
      isWhole = isWhole || next == .both
      part = next ?? part
      start = end
    }
    if part != .both || !isWhole { return nil }
  }

  /// The part that a marker begins; nil for any other line.
  private static func part(behind line: ArraySlice<UInt8>, _ part: Part) -> Part? {
    guard let first = line.first, line.count >= 7, line.prefix(7).allSatisfy({ $0 == first }),
      line.dropFirst(7).first.map({ ByteText.isWhitespace($0) }) ?? true
    else { return nil }
    switch (first, part) {
    case (UInt8(ascii: "<"), .both): return .ours
    case (UInt8(ascii: "|"), .ours): return .base
    case (UInt8(ascii: "="), .ours), (UInt8(ascii: "="), .base): return .theirs
    case (UInt8(ascii: ">"), .theirs): return .both
    default: return nil
    }
  }

  private static func firstLine(_ bytes: [UInt8], _ mark: [UInt8]) -> Int? {
    var start = bytes.starts(with: ByteText.byteOrderMark) ? ByteText.byteOrderMark.count : 0
    while start < bytes.count {
      if bytes[start...].starts(with: mark) { return start }
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      start = end + 1
    }
    return nil
  }

  private static func blank(_ bytes: inout [UInt8], _ range: Range<Int>) {
    for index in range where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
  }
}
