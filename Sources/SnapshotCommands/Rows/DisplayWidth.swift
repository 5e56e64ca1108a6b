/// The width of text on a terminal.
extension StringProtocol {
  /// The number of columns of the text on a terminal. Ideographs and emoji have two.
  public var displayWidth: Int {
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// The longest prefix of the text within a number of columns.
  public func prefix(columns: Int) -> SubSequence {
    var left = columns
    return prefix { character in
      left -= character.displayWidth
      return left >= 0
    }
  }

  /// The text within a number of columns. A text that is longer ends with “…”.
  public func cut(toColumns columns: Int) -> String {
    displayWidth <= columns ? String(self) : prefix(columns: columns - 1) + "…"
  }
}

extension Character {
  fileprivate var displayWidth: Int { unicodeScalars.contains(where: Self.isWide) ? 2 : 1 }

  /// Whether terminals give a character two columns: the blocks of East Asian scripts, and emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE0F, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x1FFFF, 0x20000...0x3FFFD:
      true
    default: scalar.value >= 0x2300 && scalar.properties.isEmojiPresentation
    }
  }
}
