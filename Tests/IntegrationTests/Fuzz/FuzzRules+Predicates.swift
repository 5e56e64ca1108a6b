import Foundation

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// What the rules ask of a file.
extension FuzzRule {
  /// Whether an integer holds invalid UTF-8.
  static func hasBrokenInteger(_ bytes: [UInt8]) -> Bool {
    places(of: "<integer", in: bytes).contains { start in
      String(validating: bytes[start...].prefix { $0 != UInt8(ascii: "<") }, as: UTF8.self) == nil
    }
  }

  /// Whether objects refer to each other in a circle.
  static func hasCycle(_ bytes: [UInt8]) -> Bool {
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
  static func hasHugeCount(_ bytes: [UInt8]) -> Bool {
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
  static func isNullText(_ bytes: [UInt8]) -> Bool {
    places(of: "<string>$null", in: bytes).contains { $0 >= bytes.count || bytes[$0] != UInt8(ascii: "<") }
  }

  /// Whether a text would be `$null` but for entities and CDATA.
  static func isEscapedNull(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains(
      /<string>(<!\[CDATA\[(\]\]>)?)?(\$|&#x0*24;|&#0*36;)(n|&#)[^\n]*(l|;|\]\]>)<\/string>/)
  }

  /// Whether there is a date of a year before 1583, which Foundation reads on the Julian calendar.
  static func isEarly(_ bytes: [UInt8]) -> Bool {
    places(of: "<date>", in: bytes).contains { start in
      let year = String(decoding: bytes[start...].drop(while: ByteText.isWhitespace).prefix(4), as: UTF8.self)
      return Int(year).map { $0 < 1583 } ?? false
    }
  }

  /// Whether Foundation reads the whole as an untyped tree.
  static func isWellFormed(_ bytes: [UInt8], _ format: FileFormat) -> Bool {
    switch format {
    case .json: (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
    case .ndjson:
      bytes.split(separator: UInt8(ascii: "\n")).allSatisfy {
        $0.allSatisfy(ByteText.isWhitespace) || (try? JSONSerialization.jsonObject(with: Data($0))) != nil
      }
    case .xml, .binary: (try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)) != nil
    }
  }

  /// Whether a table stands there for a second time, though the records of the first may be wrong.
  static func hasTableTwice(_ bytes: [UInt8]) -> Bool {
    do {
      _ = try SnapshotSummary(of: bytes)
      return false
    } catch {
      return (error as? SnapshotError)?.code == .duplicate
    }
  }

  /// Where the occurrences of a text end.
  static func places(of text: String, in bytes: [UInt8]) -> [Int] {
    let text = Array(text.utf8)
    return bytes.indices.filter { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }.map { $0 + text.count }
  }
}
