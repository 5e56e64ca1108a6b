/// A folded text that knows from where in the original each of its bytes comes.
struct FoldedPlaces {
  private let text: String
  private var folded: [UInt8] = []
  /// For every byte of the folded text, the offset of its scalar in the original; at the end, the end of the text.
  private var origins: [Int] = []

  init(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
    folded.reserveCapacity(text.utf8.count)
    origins.reserveCapacity(text.utf8.count + 1)
    var origin = 0
    text.utf8.withContiguousStorageIfAvailable { append($0, &origin) }
    origins.append(origin)
  }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>, _ origin: inout Int) {
    let table = FoldingTable.shared
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { room in
      guard let output = room.baseAddress else { return }
      while origin < text.count {
        let isASCII = text[origin] < 0x80
        let (scalar, length) = isASCII ? (UInt32(text[origin]), 1) : SearchFolding.decode(text, at: origin)
        let count = table.write(scalar, to: output)
        folded.append(contentsOf: room[..<count])
        origins.append(contentsOf: repeatElement(origin, count: count))
        origin += length
      }
    }
  }

  /// The first occurrence of a word.
  func first(_ word: SearchWord) -> Range<Int>? {
    folded.withUnsafeBufferPointer { word.firstOffset(in: $0) }.map { $0..<$0 + word.bytes.count }
  }

  /// All occurrences of a word, in order. None of them overlaps with another.
  func all(_ word: SearchWord) -> [Range<Int>] {
    folded.withUnsafeBufferPointer { word.offsets(in: $0) }.map { $0..<$0 + word.bytes.count }
  }

  /// The range of an occurrence in the original. A scalar that folds to several bytes belongs to it as a whole, and so
  /// do the accents and invisible characters that follow.
  func range(of place: Range<Int>) -> Range<Int> {
    let last = origins[place.upperBound - 1]
    let end = origins[place.upperBound...].first { $0 > last } ?? origins[origins.count - 1]
    return origins[place.lowerBound]..<end
  }

  /// The same as indexes of the text.
  func indexes(of range: Range<Int>) -> Range<String.Index> {
    let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
    return start..<text.utf8.index(start, offsetBy: range.count)
  }
}
