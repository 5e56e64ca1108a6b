package import SnapshotFoundation

/// JSON text under construction, for exports to other programs. Values are appended in their order.
///
/// The sink writes commas and escapes. It adds no white space except for requested line breaks.
///
/// writes newline-delimited JSON: `{"id":1,"tags":["a","b"]}`.
///
/// The caller writes a key before each value in an object, and ends what it began. The sink checks neither. It copies
/// no value of the model. Each call is O(bytes that it writes), amortised.
package struct JSONSink: ~Copyable {
  private var sink: ByteSink
  /// The number of open arrays and objects.
  private var depth = 0
  /// Whether the next value is not the first in its array or object.
  private var hasSibling = false
  /// Whether a line break comes before the next value, key or end.
  private var beginsLine = false

  /// An empty text.
  ///
  /// - Parameter capacity: the number of bytes to allocate at once.
  package init(capacity: Int = 4096) { sink = ByteSink(capacity: capacity) }

  /// The text, in UTF-8. O(bytes).
  package consuming func finish() -> [UInt8] {
    if beginsLine { sink.append("\n") }
    return Array(sink.bytes)
  }

  // MARK: Structure

  /// Begins an object. ``key(_:)`` and a value follow for each member.
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Ends the object.
  package mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Begins an array. Its values follow.
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Ends the array.
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Appends the key of a member. Its value follows.
  ///
  /// - Parameter name: a name in the program, which JSON need not escape.
  package mutating func key(_ name: StaticString) {
    let length = name.utf8CodeUnitCount
    // Room for the separators too, so that one check is enough.
    var place = sink.reserve(length + 5)
    place = separate(at: place)
    place[0] = UInt8(ascii: "\"")
    (place + 1).update(from: name.utf8Start, count: length)
    place[length + 1] = UInt8(ascii: "\"")
    place[length + 2] = UInt8(ascii: ":")
    sink.advance(length + 3)
    hasSibling = false
  }

  /// Breaks the line before the next value or key, the end of the array or object, or the end of the text. A comma
  /// stands before the line break.
  package mutating func breakLine() { beginsLine = true }

  // MARK: Values

  /// Appends a text. Besides the characters that JSON requires, it escapes control characters up to U+009F, U+2028 and
  /// U+2029. So every tool sees the same lines.
  package mutating func append(_ text: String) {
    separate()
    JSONText.append(plain: text, to: &sink)
  }

  /// Appends an integer.
  package mutating func append(_ integer: Int64) {
    separate()
    sink.append(decimal: integer)
  }

  /// Appends true or false.
  package mutating func append(_ bool: Bool) {
    separate()
    sink.append(bool ? "true" : "false")
  }

  /// Appends any value as a snapshot in JSON has it.
  package mutating func append(_ value: UntypedValue) {
    separate()
    JSONText.append(value.item, to: &sink)
  }

  /// Appends the text of a date; see ``TextDate``.
  ///
  /// - Returns: false for a date without a text. Nothing was appended then, and the caller must append another value.
  package mutating func append(textOf date: Date) -> Bool {
    let (hadSibling, begunLine, start) = (hasSibling, beginsLine, sink.count)
    separate()
    sink.append(UInt8(ascii: "\""))
    guard TextDate.append(date.timeIntervalSinceReferenceDate, to: &sink) else {
      sink.removeLast(sink.count - start)
      (hasSibling, beginsLine) = (hadSibling, begunLine)
      return false
    }
    sink.append(UInt8(ascii: "\""))
    return true
  }

  // MARK: Commas and line breaks

  private mutating func begin(_ bracket: UInt8) {
    separate()
    sink.append(bracket)
    depth += 1
    hasSibling = false
  }

  private mutating func end(_ bracket: UInt8) {
    if beginsLine { sink.append(UInt8(ascii: "\n")) }
    beginsLine = false
    sink.append(bracket)
    depth -= 1
    hasSibling = true
  }

  /// Writes the separator between the last value and the next one. Values at the top level have their own lines and no
  /// commas.
  @inline(__always)
  private mutating func separate() { _ = separate(at: sink.reserve(2)) }

  /// The same, at a place with room for two bytes. Returns the place behind the separator.
  @inline(__always)
  private mutating func separate(at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    var place = start
    if hasSibling, depth > 0 {
      place.pointee = UInt8(ascii: ",")
      place += 1
    }
    if beginsLine {
      place.pointee = UInt8(ascii: "\n")
      place += 1
    }
    sink.advance(place - start)
    (hasSibling, beginsLine) = (true, false)
    return place
  }
}
