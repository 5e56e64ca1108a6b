/// The lines of a journal as bytes, and their verification.
struct JournalLines {
  let source: SourceText
  /// The places of the lines, without their line feeds. What follows the last line feed is none.
  private let places: [Range<Int>]
  /// Whether nothing but NULs follows the last line feed.
  private let endsWell: Bool

  /// What the verification of a line has found.
  enum Verified {
    /// It has no checksum, or is not what the checksum says.
    case broken
    /// Its checksum is right, and it is no line of a journal.
    case wrong(SnapshotError)
    case header(JournalHeader, sum: UInt32)
    case line(Journal.Line, after: UInt32, sum: UInt32)
  }

  init(_ bytes: [UInt8]) {
    source = SourceText(checkedInParts: bytes)
    var places: [Range<Int>] = []
    var start = 0
    bytes.withUnsafeBufferPointer { bytes in
      while let end = ByteText.firstIndex(of: UInt8(ascii: "\n"), in: bytes, from: start) {
        places.append(start..<end)
        start = end + 1
      }
    }
    self.places = places
    endsWell = bytes[start...].allSatisfy { $0 == 0 }
  }

  var count: Int { places.count }

  subscript(index: Int) -> Range<Int> { places[index] }

  /// The offset behind a line and its line feed.
  func end(of index: Int) -> Int { places[index].upperBound + 1 }

  /// Whether a line that is broken was not written to its end: nothing follows it, or only NULs.
  ///
  /// A whole line in it shows that a line feed was damaged, and that what follows was another line.
  func isTorn(_ index: Int) -> Bool {
    index == places.count - 1 && endsWell && !holdsWholeLine(from: places[index].lowerBound)
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
  var tail: Int { places.last.map { $0.upperBound + 1 } ?? 0 }

  /// The error for a line.
  func damage(_ index: Int, _ message: String) -> SnapshotError {
    Self.damage(message, source.position(places[index].lowerBound))
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
        places[places.count * part / parts..<places.count * (part + 1) / parts].map { verify($0, bytes, limits) }
      }
      return verified.flatMap { $0 }
    }
  }

  private func verify(
    _ place: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>, _ limits: ReadLimits
  ) -> Verified {
    var cursor = JournalCursor(bytes, place, source, limits)
    guard let (sum, end) = cursor.sum() else { return .broken }
    let summed = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[place.lowerBound..<end]))
    guard Checksum(summed).value == sum else { return .broken }
    do throws(SnapshotError) {
      if let invalid = UTF8Check.firstInvalidOffset(in: bytes, place) {
        throw Self.damage("the text is not valid UTF-8", source.position(invalid))
      }
      if cursor.isAtHeader { return .header(try cursor.header(end), sum: sum) }
      let (line, after) = try cursor.line(end)
      return .line(line, after: after, sum: sum)
    } catch {
      return .wrong(error)
    }
  }
}
