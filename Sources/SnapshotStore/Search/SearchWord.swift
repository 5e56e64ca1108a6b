/// A folded word to search for in bytes, either in folded text or in ASCII of either case.
///
/// The search compares two rare bytes of the word first, at sixteen places of the text at once. Where both match, it
/// compares the whole word. The time is linear in the length of the text for any input. After too many comparisons the
/// search continues with the algorithm of Knuth, Morris and Pratt.
@usableFromInline
struct SearchWord: Hashable, Sendable {
  /// The word, in UTF-8.
  let bytes: [UInt8]
  /// Whether the word can occur in ASCII text.
  let isASCII: Bool
  /// For each byte, the bit in which a capital letter differs.
  private let caseBits: [UInt8]
  /// The offsets of two bytes of the word that are rarer than its others.
  private let probes: (first: Int, second: Int)

  @usableFromInline
  static func == (a: SearchWord, b: SearchWord) -> Bool { a.bytes == b.bytes }
  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  /// - Parameter bytes: the folded word; not empty.
  init(_ bytes: [UInt8]) {
    precondition(!bytes.isEmpty)
    self.bytes = bytes
    isASCII = bytes.allSatisfy { $0 < 0x80 }
    caseBits = bytes.map { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") ? 0x20 : 0 }
    // Only the first bytes are considered. More bytes of a long word would hardly find rarer ones.
    let rarest = bytes.indices.prefix(32).sorted { Self.rarity(bytes[$0]) > Self.rarity(bytes[$1]) }
    probes = (rarest[0], rarest.count > 1 ? rarest[1] : rarest[0])
  }

  /// A rough estimate of how rare a byte is in texts. Letters are ranked by their frequency in English. The first bytes
  /// of other letters count as the most common, because each stands for a whole script.
  private static func rarity(_ byte: UInt8) -> Int {
    if byte >= 0xC0 { return 0 }
    let common = Array("etaoinsrhldcumfpgwybvkxjqz".utf8)
    return common.firstIndex(of: byte) ?? (byte >= 0x80 ? 8 : common.count)
  }

  /// The offset of the first occurrence of the word.
  func firstOffset(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    var patience = Search.patience(for: text.count)
    return firstOffset(in: text, patience: &patience)
  }

  /// The offsets of the occurrences of the word, in order. None of them overlaps with another. The time is linear.
  func offsets(in text: UnsafeBufferPointer<UInt8>) -> [Int] {
    var patience = Search.patience(for: text.count)
    var offsets: [Int] = []
    var start = 0
    while let next = firstOffset(in: UnsafeBufferPointer(rebasing: text[start...]), patience: &patience) {
      offsets.append(start + next)
      start += next + bytes.count
    }
    return offsets
  }

  private func firstOffset(in text: UnsafeBufferPointer<UInt8>, patience: inout Int) -> Int? {
    let last = text.count - bytes.count
    guard last >= 0, let base = text.baseAddress else { return nil }
    return bytes.withUnsafeBufferPointer { word in
      caseBits.withUnsafeBufferPointer { caseBits in
        var search = Search(
          text: UnsafeRawPointer(base), word: word, caseBits: caseBits, probes: probes, last: last, patience: patience)
        defer { patience = search.patience }
        return search.run()
      }
    }
  }
}

/// One search for a word in a text.
private struct Search {
  private typealias Lanes = SIMD2<UInt64>
  private let text: UnsafeRawPointer
  private let word: UnsafeBufferPointer<UInt8>
  private let caseBits: UnsafeBufferPointer<UInt8>
  private let probes: (first: Int, second: Int)
  /// The last offset at which the word fits.
  private let last: Int
  /// The number of further comparisons before the linear algorithm takes over.
  private(set) var patience: Int

  init(
    text: UnsafeRawPointer, word: UnsafeBufferPointer<UInt8>, caseBits: UnsafeBufferPointer<UInt8>,
    probes: (first: Int, second: Int), last: Int, patience: Int
  ) {
    self.text = text
    self.word = word
    self.caseBits = caseBits
    self.probes = probes
    self.last = last
    self.patience = patience
  }

  /// The number of comparisons that are allowed in a text of `count` bytes, in all searches for one word together.
  static func patience(for count: Int) -> Int { 4 * count + 64 }

  mutating func run() -> Int? {
    if patience < 0 { return searchCarefully(from: 0) }
    var start = 0
    if last >= 15 {
      let (ones, highs) = (repeated(0x01), repeated(0x80))
      let (bits1, bits2) = (repeated(caseBits[probes.first]), repeated(caseBits[probes.second]))
      let (byte1, byte2) = (repeated(word[probes.first]), repeated(word[probes.second]))
      let (text1, text2) = (text + probes.first, text + probes.second)
      while start <= last {
        // The last sixteen places may overlap with those before.
        if start > last - 15 { start = last - 15 }
        let lanes1 = text1.loadUnaligned(fromByteOffset: start, as: Lanes.self)
        let lanes2 = text2.loadUnaligned(fromByteOffset: start, as: Lanes.self)
        let differences = ((lanes1 | bits1) ^ byte1) | ((lanes2 | bits2) ^ byte2)
        // The high bit of every byte without a difference. Bytes above the lowest such byte of a lane may be marked
        // wrongly.
        let marks = (differences &- ones) & ~differences & highs
        if marks.x | marks.y != 0 {
          if let found = compare(marks.x, at: start) ?? compare(marks.y, at: start + 8) { return found }
          if patience < 0 { return searchCarefully(from: start) }
        }
        start += 16
      }
      return nil
    }
    while start <= last {
      if isWord(at: start) { return start }
      start += 1
    }
    return nil
  }

  /// Compares the word with the marked places.
  private mutating func compare(_ marks: UInt64, at start: Int) -> Int? {
    var marks = marks
    while marks != 0 {
      let place = start + marks.trailingZeroBitCount / 8
      if isWord(at: place) { return place }
      marks &= marks - 1
    }
    return nil
  }

  private mutating func isWord(at start: Int) -> Bool {
    var index = 0
    while index < word.count {
      guard text.load(fromByteOffset: start + index, as: UInt8.self) | caseBits[index] == word[index] else { break }
      index += 1
    }
    patience -= index
    return index == word.count
  }

  /// The algorithm of Knuth, Morris and Pratt: no byte of the text is compared more than twice.
  private func searchCarefully(from start: Int) -> Int? {
    // For each prefix of the word, the length of its longest proper prefix that is also its suffix.
    var borders = [0]
    for index in 1..<max(1, word.count) {
      var border = borders[index - 1]
      while border > 0, word[border] != word[index] { border = borders[border - 1] }
      borders.append(word[border] == word[index] ? border + 1 : 0)
    }
    var matched = 0
    for index in start..<last + word.count {
      let byte = text.load(fromByteOffset: index, as: UInt8.self)
      while matched > 0, byte | caseBits[matched] != word[matched] { matched = borders[matched - 1] }
      if byte | caseBits[matched] == word[matched] { matched += 1 }
      if matched == word.count { return index + 1 - matched }
    }
    return nil
  }

  private func repeated(_ byte: UInt8) -> Lanes { Lanes(repeating: UInt64(byte) &* 0x0101_0101_0101_0101) }
}
