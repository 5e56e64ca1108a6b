import Foundation

@testable import SnapshotStore

/// A difference between the library and Foundation's decoders that is meant, and why.
struct FuzzRule: Sendable {
  let name: String
  let matches: @Sendable (Refusal) -> Bool

  /// What is known of an input that one side refused.
  struct Refusal {
    /// The library's own error.
    var error: SnapshotError?
    /// What the library read, as JSON.
    var canonical: ArraySlice<UInt8> = []
    /// What Foundation read, likewise.
    var other: ArraySlice<UInt8> = []
    /// What Foundation's error says.
    var foundation = ""
    let bytes: [UInt8]
    let format: FileFormat
    var isJSON: Bool { format == .json || format == .ndjson }

    func says(_ code: SnapshotError.Code, _ parts: String...) -> Bool {
      guard let error, error.code == code else { return false }
      return parts.isEmpty || parts.contains { error.message.contains($0) }
    }
  }

  init(_ name: String, _ matches: @escaping @Sendable (Refusal) -> Bool) {
    self.name = name
    self.matches = matches
  }

  // MARK: Foundation accepts

  /// What decisions 0003 and 0004 and the readers' own descriptions refuse. Each is known by its error.
  static let stricter: [FuzzRule] = [
    FuzzRule("a key that nobody asks for") { $0.says(.unknownKey) },
    FuzzRule("a line that is not a table and a record") {
      $0.format == .ndjson && $0.says(.invalidValue, "expected an object of “table” and “record”")
    },
    // The first of two tables of one name may be wrong in itself.
    FuzzRule("a key or an id twice") { $0.says(.duplicate) || hasTableTwice($0.bytes) },
    FuzzRule("nested too deep, or unfolding too far") { $0.says(.limitExceeded) },
    FuzzRule("a header that is not exactly right") {
      $0.error?.dataPath == "snapshot" && $0.says(.wrongSchema, "not a positive integer", "expected a dictionary")
        || $0.error?.dataPath == "snapshot" && $0.says(.invalidValue, "the checksum is not a number of 32 bits")
    },
    FuzzRule("a number with a fraction, or minus zero, for an integer") {
      $0.says(.invalidValue, "expected an integer, found a number with a fraction")
    },
    FuzzRule("a number out of range") { $0.says(.invalidValue, "is out of range") },
    FuzzRule("base64 that is not canonical") {
      $0.says(.invalidValue, "the text is not base64") || $0.says(.invalidValue, "is not a valid <data>")
    },
    FuzzRule("invalid UTF-8") { $0.says(.malformed, "the text is not valid UTF-8") },
    FuzzRule("a file in UTF-16, or with other bytes before its start") { $0.says(.unknownFormat) },
    // The message is cut before it says so if the text is long.
    FuzzRule("a text that is not a URL as it stands") {
      $0.says(.invalidValue) && $0.error?.dataPath?.hasSuffix(".url") == true
    },
    FuzzRule("a decimal of more digits than a Double holds") {
      $0.says(.invalidValue, "a decimal number of more than")
    },
    FuzzRule("a Float of more digits than tell it") {
      $0.says(.invalidValue, "more digits than a Float can be told by")
    },
    FuzzRule("malformed in a value that nobody asks Foundation for") {
      ($0.says(.malformed) || $0.says(.invalidValue, "out of range")) && !isWellFormed($0.bytes, $0.format)
    },
    FuzzRule("JSON: a comma too many") { $0.format != .binary && $0.says(.malformed, "is one too many") },
    FuzzRule("XML: declaration, document type or root element of another form") {
      $0.format == .xml
        && $0.says(
          .malformed, "the XML declaration must", "the document type must", "expected <plist", "expected </plist>",
          "nothing may follow")
    },
    FuzzRule("XML: a tag with attributes or of another form, or a processing instruction") {
      $0.format == .xml && $0.says(.malformed, "expected the tag of a property list")
    },
    FuzzRule("XML: a character or an entity that XML does not have") {
      $0.format == .xml
        && $0.says(.malformed, "not allowed in XML", "unknown entity or impossible character reference")
    },
    FuzzRule("XML: $null written with entities or CDATA, which is text for Foundation") {
      $0.format == .xml && $0.says(.invalidValue, "found null") && isEscapedNull($0.bytes)
    },
    FuzzRule("XML: a key in the place of a value") {
      $0.format == .xml && $0.says(.malformed, "expected a value, found <key>")
    },
    FuzzRule("XML: an integer that is not decimal") { $0.format == .xml && $0.says(.invalidValue, "valid <integer>") },
    FuzzRule("XML: a real out of range") { $0.format == .xml && $0.says(.invalidValue, "valid <real>") },
    FuzzRule("XML: a date that does not exist") { $0.format == .xml && $0.says(.invalidValue, "valid <date>") },
    FuzzRule("binary: a key that is not text, where nobody looks") {
      $0.format == .binary && $0.says(.malformed, "a key is not text")
    },
    FuzzRule("binary: an object outside of the objects' part of the file") {
      $0.format == .binary && $0.says(.malformed, "an object lies outside of the file")
    },
    FuzzRule("binary: $null in UTF-16, which is text for Foundation") {
      $0.format == .binary && $0.says(.invalidValue, "found null")
        && !places(of: "$\0n\0u\0l\0l", in: $0.bytes).isEmpty
    },
    FuzzRule("binary: a count that is not an integer") {
      $0.format == .binary && $0.says(.malformed, "a count is damaged")
    },
  ]

  // MARK: The library accepts

  /// What Foundation refuses although it is right, or stands for a value by decision 0004.
  static let wider: [FuzzRule] = [
    FuzzRule("XML: encoding us-ascii, which Foundation does not know") {
      $0.format == .xml && $0.foundation.contains("Encountered unknown encoding")
    },
    FuzzRule("XML: text that begins with $null") { $0.format == .xml && isNullText($0.bytes) },
    FuzzRule("XML: a number or date with white space before or after it") {
      $0.format == .xml
        && String(decoding: $0.bytes, as: UTF8.self)
          .contains(/<(integer|real|date)>(\s+[^<\s]+\s*|[^<\s]+\s+)<\/(integer|real|date)>/)
    },
    FuzzRule("XML: a date with a fraction or an offset") {
      $0.format == .xml && $0.foundation.contains("found a date")
        && String(decoding: $0.bytes, as: UTF8.self).contains(/<date>[^<]*(\.|[+-]\d\d:)[^<]*<\/date>/)
    },
    FuzzRule("XML: $null written with entities or CDATA, which is text for Foundation") {
      $0.format == .xml && isEscapedNull($0.bytes)
    },
    FuzzRule("XML: empty data, which Foundation refuses as an empty element") {
      $0.format == .xml && $0.foundation.contains("Encountered empty <data>")
    },
    FuzzRule("binary: a negative integer of 16 bytes, which Foundation reads as unsigned") {
      $0.format == .binary && $0.foundation.contains("Parsed property list number")
    },
    FuzzRule("lists: the key $null of a dictionary, which is null for Foundation") {
      !$0.isJSON && $0.foundation.contains("found null value") && !places(of: "$null", in: $0.bytes).isEmpty
    },
    FuzzRule("binary: an object outside of the file, to which nothing refers") {
      $0.format == .binary && $0.foundation.contains("Corrupt top-level info")
    },
    FuzzRule("XML: entities or CDATA in a number, date or data") {
      $0.format == .xml && String(decoding: $0.bytes, as: UTF8.self).contains(/<(integer|real|date|data)>[^<]*(&#|<!)/)
    },
    FuzzRule("XML: a date as minus zero, as an integer") {
      $0.format == .xml && $0.foundation.contains("OracleRefusal") && !places(of: "<integer>-0<", in: $0.bytes).isEmpty
    },
    FuzzRule("lists: a number for a Float that is not one exactly") {
      !$0.isJSON && $0.foundation.contains("does not fit in Float")
    },
  ]

  // MARK: Both accept

  static let different: [FuzzRule] = [
    FuzzRule("XML: a date before 1583, on the Julian calendar for Foundation") {
      $0.format == .xml && isEarly($0.bytes)
    },
    FuzzRule("XML: $null written with entities or CDATA, which is text for Foundation") {
      $0.format == .xml && isEscapedNull($0.bytes)
    },
    FuzzRule("XML: minus zero as an integer, which Foundation reads as zero") {
      $0.format == .xml && !places(of: "<integer>-0<", in: $0.bytes).isEmpty
    },
    FuzzRule("XML: a line end as carriage return, which Foundation keeps") {
      $0.format == .xml && $0.bytes.contains(0x0D)
    },
    FuzzRule("XML: data with white space in its padding, entities or comments, which Foundation takes for base64") {
      $0.format == .xml && String(decoding: $0.bytes, as: UTF8.self).contains(/<data>[^<]*(=\s+=|&|<!)/)
    },
  ]

  // MARK: Not compared

  static func reasonNotToCompare(_ refusal: Refusal) -> String? {
    if refusal.format == .binary, hasHugeCount(refusal.bytes) {
      return "binary: a count beyond the file, which ends Foundation's process"
    }
    if refusal.format == .binary, hasCycle(refusal.bytes) {
      return "binary: a container that holds itself, which ends Foundation's process"
    }
    if refusal.format == .xml, hasBrokenInteger(refusal.bytes) {
      return "XML: an integer that is not UTF-8, which ends Foundation's process"
    }
    return nil
  }

  /// Whether an integer holds invalid UTF-8.
  private static func hasBrokenInteger(_ bytes: [UInt8]) -> Bool {
    places(of: "<integer", in: bytes).contains { start in
      String(validating: bytes[start...].prefix { $0 != UInt8(ascii: "<") }, as: UTF8.self) == nil
    }
  }

  /// Whether objects refer to each other in a circle.
  private static func hasCycle(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 40 else { return false }
    let trailer = bytes.count - 32
    func number(_ offset: Int, _ width: Int) -> UInt64 {
      bytes[min(offset, bytes.count)..<min(bytes.count, offset + width)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let (width, referenceWidth) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    let table = number(trailer + 24, 8)
    guard (1...8).contains(width), (1...8).contains(referenceWidth), table < UInt64(trailer) else { return false }
    let objects = stride(from: Int(table), to: trailer, by: width).map { entry -> [Int] in
      let offset = number(entry, width)
      guard offset < UInt64(trailer), bytes[Int(offset)] >= 0xA0 else { return [] }
      var (count, start) = (UInt64(bytes[Int(offset)] & 15), Int(offset) + 1)
      if count == 15 {
        let countWidth = 1 << min(3, Int(bytes[start] & 15))
        count = number(start + 1, countWidth)
        start += 1 + countWidth
      }
      count = min(count, UInt64(bytes.count)) * (bytes[Int(offset)] >= 0xD0 ? 2 : 1)
      return (0..<Int(count)).lazy.map { start + $0 * referenceWidth }.prefix { $0 < trailer }
        .map { Int(truncatingIfNeeded: number($0, referenceWidth)) }
    }
    // Objects all of whose references lead to such ones are taken away, until there are none, or a circle is left.
    var open = Set(objects.indices)
    while true {
      let finished = open.filter { object in !objects[object].contains { open.contains($0) } }
      if finished.isEmpty { return !open.isEmpty }
      open.subtract(finished)
    }
  }

  /// Whether one of the objects claims to have more elements than the file has bytes.
  private static func hasHugeCount(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 40 else { return false }
    let trailer = bytes.count - 32
    func number(_ offset: Int, _ width: Int) -> UInt64 {
      bytes[min(offset, bytes.count)..<min(bytes.count, offset + width)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let (width, table) = (Int(bytes[trailer + 6]), number(trailer + 24, 8))
    guard (1...8).contains(width), table < UInt64(trailer) else { return false }
    for entry in stride(from: Int(table), to: trailer, by: width) {
      let offset = number(entry, width)
      guard offset < UInt64(trailer), bytes[Int(offset)] >= 0x40, bytes[Int(offset)] & 15 == 15 else { continue }
      // An integer of 16 bytes counts by its upper half, too.
      let exponent = Int(bytes[Int(offset) + 1] & 15)
      if exponent > 3 || number(Int(offset) + 2, 1 << exponent) > UInt64(bytes.count) { return true }
    }
    return false
  }

  /// Whether a file of ours holds what Foundation is known not to read back.
  static func isBeyondFoundation(_ bytes: [UInt8], _ format: FileFormat) -> Bool {
    switch format {
    case .xml:
      isNullText(bytes) || isEarly(bytes) || !places(of: "<key>$null</key>", in: bytes).isEmpty
        // A dictionary with a key that XML cannot hold.
        || String(decoding: bytes, as: UTF8.self).contains(/<key>numberByText<\/key>\s*<array>/)
    // The key of a dictionary, because a value of this text has one more `$`.
    case .binary: places(of: "$null", in: bytes).contains { bytes[$0 - 6] == 0x55 }
    case .json, .ndjson: false
    }
  }

  /// Whether a text begins with `$null` and goes on, which Foundation's reader of XML lists fails at.
  private static func isNullText(_ bytes: [UInt8]) -> Bool {
    places(of: "<string>$null", in: bytes).contains { $0 >= bytes.count || bytes[$0] != UInt8(ascii: "<") }
  }

  /// Whether a text would be `$null` but for entities and CDATA.
  private static func isEscapedNull(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains(
      /<string>(<!\[CDATA\[(\]\]>)?)?(\$|&#x0*24;|&#0*36;)(n|&#)[^\n]*(l|;|\]\]>)<\/string>/)
  }

  /// Whether there is a date of a year before 1583, which Foundation reads on the Julian calendar.
  private static func isEarly(_ bytes: [UInt8]) -> Bool {
    places(of: "<date>", in: bytes).contains { start in
      let year = String(decoding: bytes[start...].drop(while: FileFormat.isWhitespace).prefix(4), as: UTF8.self)
      return Int(year).map { $0 < 1583 } ?? false
    }
  }

  /// Whether Foundation reads the whole as an untyped tree.
  private static func isWellFormed(_ bytes: [UInt8], _ format: FileFormat) -> Bool {
    switch format {
    case .json: (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
    case .ndjson:
      bytes.split(separator: UInt8(ascii: "\n")).allSatisfy {
        $0.allSatisfy(FileFormat.isWhitespace) || (try? JSONSerialization.jsonObject(with: Data($0))) != nil
      }
    case .xml, .binary: (try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)) != nil
    }
  }

  /// Whether a table stands there for a second time, though the records of the first may be wrong.
  private static func hasTableTwice(_ bytes: [UInt8]) -> Bool {
    do {
      _ = try SnapshotSummary(of: bytes)
      return false
    } catch {
      return (error as? SnapshotError)?.code == .duplicate
    }
  }

  /// Where the occurrences of a text end.
  private static func places(of text: String, in bytes: [UInt8]) -> [Int] {
    let text = Array(text.utf8)
    return bytes.indices.filter { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }.map { $0 + text.count }
  }
}
