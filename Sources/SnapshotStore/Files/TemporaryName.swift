/// The names of temporary files and folders beside their target, such as `.notes.json.` + 20 digits + `.tmp`.
///
/// A name proves that this library has made it. Thirteen digits are a random number. Seven digits are a checksum of it
/// and of the rest of the name. A name from elsewhere passes the check once in 78 billion times.
package struct TemporaryName {
  /// The common beginning of the names. With the added digits it must fit into 255 bytes.
  private let stem: String

  private static let numberDigits = 13
  private static let checkDigits = 7
  private static let end = ".tmp"

  init(for location: FileLocation) { self.init(for: location.name) }

  /// - Parameter name: the name of the target file or folder.
  package init(for name: String) { stem = ".\(name.shortenedFileName)." }

  package func with(_ number: UInt64) -> String {
    let digits = String(number, radix: 36)
    let start = stem + String(repeating: "0", count: Self.numberDigits - digits.utf8.count) + digits
    return start + Self.check(of: start.utf8) + Self.end
  }

  /// Whether a name is a temporary name of this target.
  package func isForm(of name: String) -> Bool {
    let count = stem.utf8.count + Self.numberDigits + Self.checkDigits + Self.end.utf8.count
    return name.utf8.count == count && name.utf8.starts(with: stem.utf8) && Self.isMade(name)
  }

  /// Whether a name is a temporary name of any file.
  static func isMade(_ name: String) -> Bool {
    guard name.utf8.first == UInt8(ascii: "."), name.hasSuffix(end),
      name.utf8.count > end.utf8.count + checkDigits + numberDigits
    else { return false }
    let start = name.utf8.dropLast(end.utf8.count + checkDigits)
    return name.utf8.dropFirst(start.count).prefix(checkDigits).elementsEqual(check(of: start).utf8)
  }

  private static func check(of start: some Sequence<UInt8>) -> String {
    let key = "SnapshotStore temporary".utf8
    var range: UInt64 = 1
    for _ in 0..<checkDigits { range *= 36 }
    let digits = String((Array(start) + Array(key)).stableHash % range, radix: 36)
    return String(repeating: "0", count: checkDigits - digits.utf8.count) + digits
  }
}
