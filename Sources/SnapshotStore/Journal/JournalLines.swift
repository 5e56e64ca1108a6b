/// The lines of a journal as bytes, and their verification.
struct JournalLines {
  let source: SourceText
  /// The places of the lines, without their line feeds, each with its number in the file. What follows the last line
  /// feed is none.
  private let places: [(range: Range<Int>, number: Int)]
  /// Whether nothing but NULs follows the last line feed.
  private let endsWell: Bool

  /// What the verification of a line has found.
  enum Verified {
    /// It has no checksum, or is not what the checksum says.
    case broken
    /// Its checksum is right, and it is no line of a journal.
    indirect case wrong(JournalMistake)
    indirect case header(JournalHeader, sum: UInt32)
    case line(Journal.Line, after: UInt32, sum: UInt32)
  }

  /// No line of a journal has fewer bytes.
  private static let shortest = 48

  /// Divides a file into lines. A shorter text than any line takes no memory of its own, however often it comes.
  ///
  /// - Parameter isStrict: whether the lines behind such a text do not matter. Otherwise several ones are together.
  init(_ bytes: [UInt8], isStrict: Bool) {
    source = SourceText(checkedInParts: bytes)
    var places: [(range: Range<Int>, number: Int)] = []
    var start = 0
    var number = 1
    bytes.withUnsafeBufferPointer { bytes in
      var isAfterShort = false
      while let end = ByteText.firstIndex(of: UInt8(ascii: "\n"), in: bytes, from: start) {
        let isShort = end - start < Self.shortest
        if isShort, isAfterShort, let last = places.popLast() {
          places.append((last.range.lowerBound..<end, last.number))
        } else {
          places.append((start..<end, number))
        }
        start = end + 1
        number += 1
        if isShort, isStrict { break }
        isAfterShort = isShort
      }
    }
    self.places = places
    endsWell = bytes[start...].allSatisfy { $0 == 0 }
  }

  var count: Int { places.count }

  subscript(index: Int) -> Range<Int> { places[index].range }

  /// The number of a line in the file, from 1.
  func number(of index: Int) -> Int { places[index].number }

  /// The offset behind a line and its line feed.
  func end(of index: Int) -> Int { places[index].range.upperBound + 1 }

  /// Whether a line that is broken was not written to its end: nothing follows it, or only NULs.
  ///
  /// A whole line in it shows that a line feed was damaged, and that what follows was another line.
  func isTorn(_ index: Int) -> Bool {
    index == places.count - 1 && endsWell && !holdsWholeLine(from: places[index].range.lowerBound)
  }

  /// Whether the text from an offset on begins with a whole line, and more than NULs follows in place of its line feed.
  /// O(bytes).
  func holdsWholeLine(from start: Int) -> Bool {
    source.bytes.withUnsafeBufferPointer { bytes in
      var summed = Checksum()
      var (end, next) = (start, start)
      while let quote = ByteText.firstIndex(of: UInt8(ascii: "\""), in: bytes, from: next) {
        next = quote + 1
        let mark = "\"sum\":" as StaticString
        guard quote > start, bytes[quote - 1] == UInt8(ascii: ","), ByteText.isNext(mark, bytes, at: quote) else {
          continue
        }
        var digits = quote + mark.utf8CodeUnitCount
        var sum: UInt64 = 0
        while digits < bytes.count, bytes[digits] &- 0x30 <= 9, sum <= UInt32.max {
          sum = sum * 10 + UInt64(bytes[digits] &- 0x30)
          digits += 1
        }
        summed.append(Checksum(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[end..<quote - 1])))
        end = quote - 1
        if digits + 1 < bytes.count, bytes[digits] == UInt8(ascii: "}"), bytes[digits + 1] != 0,
          bytes[digits + 1] != 0x0A, sum == UInt64(summed.value)
        {
          return true
        }
      }
      return false
    }
  }

  /// The offset behind the last line feed.
  var tail: Int { places.last.map { $0.range.upperBound + 1 } ?? 0 }

  /// The error for a line.
  func damage(_ index: Int, _ message: String) -> SnapshotError {
    Self.damage(message, source.position(places[index].range.lowerBound))
  }

  static func damage(_ message: String, _ position: SnapshotError.Position) -> SnapshotError {
    SnapshotError(
      .damagedJournal, message,
      advice: "Restore the file and its journal from a backup, or save what can be read of both.", position: position)
  }

  /// Verifies all lines, on several threads if there are many bytes.
  func verified(_ limits: ReadLimits, threads: Int) -> [Verified] {
    source.bytes.withUnsafeBufferPointer { bytes in
      // Some lines are much longer than others, so there are more parts than threads.
      let parts = bytes.count < 1 << 18 ? 1 : max(1, min(places.count, threads * 8))
      let verified = Parallel.map(parts, threads: threads) { part in
        places[places.count * part / parts..<places.count * (part + 1) / parts].map {
          verify($0.range, bytes, limits)
        }
      }
      return verified.flatMap { $0 }
    }
  }

  private func verify(
    _ place: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>, _ limits: ReadLimits
  ) -> Verified {
    var cursor = JournalCursor(bytes, place, limits)
    guard let (sum, end) = cursor.sum() else { return .broken }
    let summed = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[place.lowerBound..<end]))
    guard Checksum(summed).value == sum else { return .broken }
    do throws(JournalMistake) {
      if let invalid = UTF8Check.firstInvalidOffset(in: bytes, place) {
        throw JournalMistake(message: "the text is not valid UTF-8", offset: invalid)
      }
      if cursor.isAtHeader { return .header(try cursor.header(end), sum: sum) }
      let (line, after) = try cursor.line(end)
      return .line(line, after: after, sum: sum)
    } catch {
      return .wrong(error)
    }
  }
}
