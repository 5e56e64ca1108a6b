/// The spelling of the way to a property: `a.b`, `a["any key"].b`. Conditions and commands of the tools take it.
package enum PropertyName {
  /// Words that a condition has for itself.
  package static let reserved: Set<String> = ["and", "or", "not", "true", "false", "null"]

  /// The name of a property of a dictionary.
  ///
  /// - Parameter parent: the name of the dictionary; empty for the record.
  package static func name(of key: String, in parent: String) -> String {
    if isPlain(key) { return parent.isEmpty ? key : "\(parent).\(key)" }
    return "\(parent)[\(Item(.string(key)).json)]"
  }

  /// Whether a key may stand in a name without quotes.
  package static func isPlain(_ key: String) -> Bool {
    guard let first = key.utf8.first, begins(with: first) else { return false }
    return key.utf8.allSatisfy(continues(with:)) && !reserved.contains(key)
  }

  /// Letters, `_`, `$`, and all beyond ASCII.
  package static func begins(with byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// Also digits, and `-`, since conditions have no subtraction.
  package static func continues(with byte: UInt8) -> Bool {
    begins(with: byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
  }
}
