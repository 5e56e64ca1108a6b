import SnapshotStore

/// Finds the web addresses in a text, as a person sees them; see ``Note/links``.
///
/// It makes one pass over the bytes. An address begins at the start of a word only. A name that is no address is not
/// scanned again from one of its parts, so the time is linear for any input.
struct NoteLinks {
  private let text: UnsafeBufferPointer<UInt8>

  /// The addresses, each once, in order.
  static func links(in text: String) -> [String] {
    var text = text
    return text.withUTF8 { utf8 in
      NoteLinks(text: utf8).ranges().map { String(decoding: utf8[$0], as: UTF8.self) }.uniqued()
    }
  }

  private func ranges() -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var index = 0
    while index < text.count {
      guard wordLength(index) > 0 else {
        index += 1
        continue
      }
      if let end = endOfLink(from: index) {
        ranges.append(index..<endOfTrimmed(index..<end))
        index = end
      } else {
        index = endOfWord(from: index)
      }
    }
    return ranges
  }

  // MARK: Kinds of addresses

  /// The end of the address that begins at the start of a word, punctuation included; nil if no address begins there.
  private func endOfLink(from start: Int) -> Int? {
    var isWebName = false
    switch text[start] | 0x20 {
    case UInt8(ascii: "h"):
      if isNext("https://", at: start) { return endOfAddress(host: start + 8) }
      if isNext("http://", at: start) { return endOfAddress(host: start + 7) }
    case UInt8(ascii: "m"):
      if isNext("mailto:", at: start) { return endOfMail(from: start + 7) }
    case UInt8(ascii: "w"):
      isWebName = isNext("www.", at: start)
    default: break
    }
    // After one of these bytes stands the rest of something else: a path, a mail address, an option.
    if start > 0, Self.joints.contains(text[start - 1]) { return nil }
    let name = hostName(from: start)
    guard isWebName ? name.labels > 1 : isBareName(name, from: start) else { return nil }
    return endOfTail(from: endOfPort(from: name.end))
  }

  /// Whether people take a name without a scheme for an address.
  private func isBareName(_ name: HostName, from start: Int) -> Bool {
    guard name.labels > 1, name.isSound, let kind = LinkDomains.kind(of: text[name.lastLabel..<name.end]) else {
      return false
    }
    // `2023.de` is a sentence without a space.
    guard text[name.labelBefore..<name.lastLabel].contains(where: { !isDigit($0) && $0 != UInt8(ascii: ".") }) else {
      return false
    }
    switch byte(name.end) {
    // A function call, or the beginning of a mail address or of a longer word.
    case UInt8(ascii: "("), UInt8(ascii: "@"), UInt8(ascii: "_"), UInt8(ascii: "\\"): return false
    case UInt8(ascii: ":") where byte(name.end + 1) == UInt8(ascii: "/"): return false
    case UInt8(ascii: "/"): return kind == .common || wordLength(name.end + 1) > 0
    default: return kind == .common
    }
  }

  private func endOfAddress(host: Int) -> Int? {
    guard wordLength(host) > 0 || symbolLength(host) > 0 else { return nil }
    let end = endOfAuthority(from: host)
    return end > host ? endOfTail(from: end) : nil
  }

  private func endOfMail(from start: Int) -> Int? {
    var index = start
    while let byte = byte(index), isWordByte(byte) || Self.mailMarks.contains(byte) { index += 1 }
    guard index > start, byte(index) == UInt8(ascii: "@"), wordLength(index + 1) > 0 else { return nil }
    let end = hostName(from: index + 1).end
    return byte(end) == UInt8(ascii: "?") ? endOfTail(from: end) : end
  }

  // MARK: Parts of addresses

  private struct HostName {
    var end: Int
    var labels = 0
    var lastLabel: Int
    var labelBefore: Int
    /// Whether no label ends in a hyphen.
    var isSound = true
  }

  /// Labels separated by single points. A point after the last label does not belong to the name.
  private func hostName(from start: Int) -> HostName {
    var name = HostName(end: start, lastLabel: start, labelBefore: start)
    while true {
      (name.labelBefore, name.lastLabel) = (name.lastLabel, name.end)
      name.labels += 1
      while true {
        let length = wordLength(name.end)
        if length == 0, byte(name.end) != UInt8(ascii: "-") { break }
        name.end += max(1, length)
      }
      if text[name.end - 1] == UInt8(ascii: "-") { name.isSound = false }
      guard byte(name.end) == UInt8(ascii: "."), wordLength(name.end + 1) > 0 else { return name }
      name.end += 1
    }
  }

  /// The host after a scheme, with its user and port if there are any.
  ///
  /// The host may contain symbols, as in `✪df.ws`. Symbols after the last label belong to the sentence.
  private func endOfAuthority(from start: Int) -> Int {
    var index = start
    var firstSymbol: Int?
    while true {
      if case let length = wordLength(index), length > 0 {
        index += length
      } else if case let length = symbolLength(index), length > 0 {
        firstSymbol = firstSymbol ?? index
        index += length
      } else if let next = byte(index), Self.hostMarks.contains(next) {
        if next == UInt8(ascii: "."), wordLength(index + 1) > 0 { firstSymbol = nil }
        index += 1
      } else {
        return firstSymbol ?? index
      }
    }
  }

  private func endOfPort(from start: Int) -> Int {
    guard byte(start) == UInt8(ascii: ":"), byte(start + 1).map(isDigit) == true else { return start }
    return text[(start + 1)...].firstIndex { !isDigit($0) } ?? text.count
  }

  /// The end of the path, query and fragment that begin here, if any do. They end at white space, a quotation mark, an
  /// angle bracket, or a closing bracket without its opening one.
  private func endOfTail(from start: Int) -> Int {
    guard let first = byte(start), Self.tailStarts.contains(first) else { return start }
    var (index, parentheses, brackets) = (start, 0, 0)
    while let next = byte(index) {
      switch next {
      case 0...0x20, 0x7F: return index
      case UInt8(ascii: "("): parentheses += 1
      case UInt8(ascii: ")"): parentheses -= 1
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case 0x80...:
        let (scalar, length) = scalar(at: index)
        guard Self.isInAddress(scalar) else { return index }
        index += length - 1
      default: if Self.ends.contains(next) { return index }
      }
      if parentheses < 0 || brackets < 0 { return index }
      index += 1
    }
    return index
  }

  /// The end without the punctuation of the sentence and Markdown's marks. The first byte is never one of these.
  private func endOfTrimmed(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound + 1, Self.punctuation.contains(text[end - 1]) { end -= 1 }
    return end
  }

  // MARK: Bytes

  private static let joints = ByteSet("@./\\-_~%&=+$#:")
  private static let mailMarks = ByteSet(".!#$%&'*+/=^_~-")
  private static let hostMarks = ByteSet(".-_~%:@")
  private static let tailStarts = ByteSet("/?#")
  private static let ends = ByteSet("\"<>`{}|\\^")
  private static let punctuation = ByteSet(".,;:!?'*_~([")

  private func byte(_ index: Int) -> UInt8? { index < text.count ? text[index] : nil }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  private func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
  }

  /// The number of bytes of the letter or digit at an index; 0 for anything else. A name ends before letters of scripts
  /// that are written without spaces, so they return 0.
  private func wordLength(_ index: Int) -> Int {
    guard let byte = byte(index) else { return 0 }
    if byte < 0x80 { return isWordByte(byte) ? 1 : 0 }
    guard byte >= 0xC0 else { return 0 }
    let (scalar, length) = scalar(at: index)
    return scalar.value < 0x2E80 && Self.isLetter(scalar) ? length : 0
  }

  /// The number of bytes of the symbol beyond ASCII at an index; 0 for anything else.
  private func symbolLength(_ index: Int) -> Int {
    guard let byte = byte(index), byte >= 0xC0 else { return 0 }
    let (scalar, length) = scalar(at: index)
    return scalar.properties.generalCategory == .otherSymbol ? length : 0
  }

  private func endOfWord(from start: Int) -> Int {
    var index = start
    while case let length = wordLength(index), length > 0 { index += length }
    return index
  }

  /// Whether a text, given in lower case, comes next in either case.
  private func isNext(_ prefix: StaticString, at start: Int) -> Bool {
    guard start + prefix.utf8CodeUnitCount <= text.count else { return false }
    return (0..<prefix.utf8CodeUnitCount).allSatisfy { offset in
      let byte = text[start + offset]
      return (isWordByte(byte) ? byte | 0x20 : byte) == prefix.utf8Start[offset]
    }
  }

  private func scalar(at index: Int) -> (scalar: Unicode.Scalar, length: Int) {
    var bytes = text[index...].makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return ("\u{FFFD}", 1) }
    return (scalar, UTF8.width(scalar))
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .decimalNumber:
      true
    default: false
    }
  }

  /// Whether a scalar beyond ASCII may stand in a path. Letters, numbers and symbols may; punctuation and invisible
  /// characters may not.
  private static func isInAddress(_ scalar: Unicode.Scalar) -> Bool {
    isLetter(scalar) || scalar.properties.generalCategory == .otherSymbol
  }
}

/// A set of ASCII characters.
private struct ByteSet {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ characters: String) {
    for byte in characters.utf8 {
      if byte < 64 { low |= 1 << byte } else { high |= 1 << (byte & 63) }
    }
  }

  func contains(_ byte: UInt8) -> Bool { byte < 0x80 && (byte < 64 ? low : high) >> (byte & 63) & 1 == 1 }
}
