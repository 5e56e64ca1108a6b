/// Text in messages.
extension StringProtocol {
  /// The text in one line of a message. Control and formatting characters become `\u{…}`, and long text is cut.
  func escapedForMessage(limit: Int = 200) -> String {
    var result = ""
    for (index, scalar) in unicodeScalars.enumerated() {
      if index == limit { return result + "…" }
      result += scalar.escaped()
    }
    return result
  }

  /// The text in quotation marks, escaped and cut for a message.
  func quotedForMessage(limit: Int = 60) -> String {
    "“\(escapedForMessage(limit: limit))”"
  }

  /// The quoted text with everything but ASCII shown as `\u{…}`. It tells two texts apart that look the same.
  func spelledForMessage(limit: Int = 60) -> String {
    let scalars = unicodeScalars.prefix(limit).map { $0.escaped(asASCII: true) }
    return "“\(scalars.joined())\(unicodeScalars.count > limit ? "…" : "")”"
  }
}

extension BinaryInteger {
  /// The number and a noun, which gets an “s” in the plural: `1 field`, `2 fields`.
  @usableFromInline func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension Unicode.Scalar {
  /// Whether a terminal could act on the character instead of showing it, or the character could disguise its
  /// neighbours.
  var isUnsafeInMessage: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    default: false
    }
  }

  /// The character itself. A number in place of an unsafe character, and of any but ASCII if `asASCII` is true.
  fileprivate func escaped(asASCII: Bool = false) -> String {
    if isASCII || !asASCII, !isUnsafeInMessage { return String(self) }
    return "\\u{\(String(value, radix: 16, uppercase: true))}"
  }
}

extension String {
  /// The name of a file, shortened for use in the names of other files that belong to it.
  ///
  /// A name that is too long is cut. A hash (FNV-1a) tells it from other names with the same beginning.
  var shortenedFileName: String {
    if utf8.count <= 200 { return self }
    return "\(prefixOfBytes(180)).\(String(utf8.stableHash, radix: 36))"
  }

  /// The longest prefix of whole characters that fits into a number of bytes, for the names of files.
  func prefixOfBytes(_ limit: Int) -> Substring {
    var prefix = self[...]
    while prefix.utf8.count > limit { prefix.removeLast() }
    return prefix
  }
}

extension Sequence<UInt8> {
  /// A hash of bytes that is the same in every process and version (FNV-1a), for the names of files.
  var stableHash: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
