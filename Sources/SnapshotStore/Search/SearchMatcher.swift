/// Tests many records, one after the other, against one query.
@usableFromInline
struct SearchMatcher {
  private let words: [SearchWord]
  /// Whether no text of the present record was searched yet. `isMissing` is then not used.
  private var areAllMissing = true
  /// The words that the texts of the present record have not shown yet.
  private var isMissing: [Bool]
  /// A buffer for folded texts, reused for each text.
  private var room: [UInt8] = []

  /// The words are copied. Threads that count references to the same arrays would wait for each other all the time.
  @usableFromInline
  init(_ query: SearchQuery) {
    words = query.words.map { word in SearchWord(word.bytes.map { $0 }) }
    isMissing = words.map { _ in true }
  }

  /// Whether every word occurs in one of the properties.
  @inlinable
  mutating func matches<Value>(_ record: Value, in properties: [SearchQuery.Property<Value>]) -> Bool {
    if begin() { return true }
    for index in properties.indices {
      if look(in: properties[index](record), isLast: index == properties.count - 1) { return true }
    }
    return false
  }

  /// Whether every word occurs in a text.
  @inlinable
  mutating func matches(_ text: some SearchableText) -> Bool { begin() || look(in: text, isLast: true) }

  /// Begins a record. Returns whether there is no word to look for.
  @usableFromInline
  mutating func begin() -> Bool {
    areAllMissing = true
    return words.isEmpty
  }

  /// Looks for the missing words in a property. Returns whether there is none left.
  ///
  /// - Parameter isLast: whether a word that is not in this property is in none.
  @inlinable
  mutating func look(in property: some SearchableText, isLast: Bool) -> Bool {
    let isLast = isLast && property.isOneText
    var isDone = false
    property.forEachText { text in
      if !isDone { isDone = look(inText: text, isLast: isLast) }
    }
    return isDone
  }

  @usableFromInline
  mutating func look(inText text: String, isLast: Bool) -> Bool {
    let isDone = text.utf8.withContiguousStorageIfAvailable { look(inBytes: $0, isLast: isLast) }
    if let isDone { return isDone }
    var copy = text
    return copy.withUTF8 { look(inBytes: $0, isLast: isLast) }
  }

  private mutating func look(inBytes text: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Bool {
    isLast ? hasMissing(text) : takeMissing(text)
  }

  /// Whether the last text has all words that are missing.
  ///
  /// ASCII letters fold to ASCII letters, so a word that stands in a text as it is also stands in the folded text. Only
  /// a text in which that does not settle it, and which has other letters, is folded.
  private mutating func hasMissing(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let first = words.indices.first { index in
      isSought(index) && !(words[index].isASCII && words[index].firstOffset(in: text) != nil)
    }
    guard let first else { return true }
    if SearchFolding.isASCII(text) { return false }
    return withFolded(text) { matcher, folded in
      matcher.words[first...].indices.allSatisfy { index in
        !matcher.isSought(index) || matcher.words[index].firstOffset(in: folded) != nil
      }
    }
  }

  /// Takes the words of a text from those that are missing. Returns whether there is none left.
  private mutating func takeMissing(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if areAllMissing {
      for index in isMissing.indices { isMissing[index] = true }
      areAllMissing = false
    }
    for index in words.indices where isMissing[index] && words[index].isASCII {
      isMissing[index] = words[index].firstOffset(in: text) == nil
    }
    if !isMissing.contains(true) { return true }
    if SearchFolding.isASCII(text) { return false }
    return withFolded(text) { matcher, folded in
      for index in matcher.words.indices where matcher.isMissing[index] {
        matcher.isMissing[index] = matcher.words[index].firstOffset(in: folded) == nil
      }
      return !matcher.isMissing.contains(true)
    }
  }

  private func isSought(_ index: Int) -> Bool { areAllMissing || isMissing[index] }

  private mutating func withFolded(
    _ text: UnsafeBufferPointer<UInt8>, _ body: (inout SearchMatcher, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    let capacity = SearchFolding.capacity(for: text.count)
    // The buffer leaves the matcher for the time, so that the body may change the matcher.
    var room: [UInt8] = []
    swap(&room, &self.room)
    defer { swap(&room, &self.room) }
    if room.count < capacity { room = [UInt8](repeating: 0, count: 2 * capacity) }
    return room.withUnsafeMutableBufferPointer { room in
      body(&self, UnsafeBufferPointer(rebasing: room[..<SearchFolding.fold(text, into: room)]))
    }
  }
}
