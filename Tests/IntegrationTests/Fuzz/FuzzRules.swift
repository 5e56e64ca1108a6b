import Foundation

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// An intended difference between the library and Foundation's decoders, with its reason.
struct FuzzRule: Sendable {
  let name: String
  let matches: @Sendable (Refusal) -> Bool

  /// The facts about an input that one side refused.
  struct Refusal {
    /// The library's own error.
    var error: SnapshotError?
    /// The value that the library read, as JSON.
    var canonical: ArraySlice<UInt8> = []
    /// The value that Foundation read, as JSON.
    var other: ArraySlice<UInt8> = []
    /// The text of Foundation's error.
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

  /// Input that decisions 0003 and 0004 and the readers' own descriptions refuse. Each rule is identified by its error.
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
      $0.says(
        .invalidValue, "expected an integer, found a number with a fraction",
        "expected an integer, found a number that no Double keeps")
    },
    FuzzRule("a number of more digits than a Double keeps, for a date") {
      $0.says(.invalidValue, "found an integer", "found a number that no Double keeps")
        && $0.says(.invalidValue, "expected a date such as")
    },
    FuzzRule("a number of more digits than its type keeps") {
      $0.says(.invalidValue, "a Double cannot keep the number", "a Decimal cannot keep the number")
    },
    FuzzRule("a number out of range") { $0.says(.invalidValue, "is out of range") },
    FuzzRule("base64 that is not canonical") {
      $0.says(.invalidValue, "the text is not base64") || $0.says(.invalidValue, "is not a valid <data>")
    },
    FuzzRule("invalid UTF-8") { $0.says(.malformed, "the text is not valid UTF-8") },
    FuzzRule("a file in UTF-16, or with other bytes before its start") { $0.says(.unknownFormat) },
    // If the text is long, the message is cut before it says so.
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
    FuzzRule("XML: an integer of another form") { $0.format == .xml && $0.says(.invalidValue, "valid <integer>") },
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

  /// Input that Foundation refuses although it is right, or is a substitute by decision 0004.
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
    FuzzRule("XML: a comment in a text or a key") {
      $0.format == .xml && $0.foundation.contains("improper CDATA opening")
        && String(decoding: $0.bytes, as: UTF8.self).contains(/<(string|key)>[^<]*<!--/)
    },
    FuzzRule("XML: an integer of more than 64 bits that is a Double, for a date") {
      $0.format == .xml && $0.foundation.contains("Invalid <integer> value")
        && !places(of: "<integer>18446744073709551616<", in: $0.bytes).isEmpty
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
    FuzzRule("lists: a date where a text should be, which is the text that JSON shows for it") {
      !$0.isJSON && $0.foundation.contains("Expected to decode String but found a date")
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
}
