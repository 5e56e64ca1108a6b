/// The spelling of the names of properties.
extension RecordDifference.Property {
  /// The name of a property: `a.b`, `a["any key"].b`. Conditions and commands of the tools take it.
  ///
  /// - Parameters:
  ///   - key: the key of the property.
  ///   - parent: the name of the dictionary that has it; empty for the record.
  public static func name(of key: String, in parent: String = "") -> String {
    if isPlain(key) { return parent.isEmpty ? key : "\(parent).\(key)" }
    return "\(parent)[\(Item(.string(key)).json)]"
  }

  /// Whether a key needs no quotes: a letter, and then letters, digits and `-`. All beyond ASCII count as letters. The
  /// words of a condition need quotes.
  private static func isPlain(_ key: String) -> Bool {
    guard let first = key.utf8.first, isLetter(first), !reserved.contains(key) else { return false }
    return key.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private static let reserved: Set<String> = ["and", "or", "not", "true", "false", "null"]
}
