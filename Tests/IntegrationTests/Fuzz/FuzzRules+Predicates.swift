import Foundation

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// The conditions of the rules on a file.
extension FuzzRule {
  /// Whether an integer has invalid UTF-8.
  static func hasBrokenInteger(_ bytes: [UInt8]) -> Bool {
    places(of: "<integer", in: bytes).contains { start in
      String(validating: bytes[start...].prefix { $0 != UInt8(ascii: "<") }, as: UTF8.self) == nil
    }
  }

  /// Whether references of objects form a cycle.
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
    // Removes objects whose references all lead to removed ones, until none are left, or a cycle.
    var open = Set(objects.indices)
    while true {
      let finished = open.filter { object in !objects[object].contains { open.contains($0) } }
      if finished.isEmpty { return !open.isEmpty }
      open.subtract(finished)
    }
  }

  /// Whether an object claims to have more elements than the file has bytes.
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
      // In an integer of 16 bytes the upper half counts too.
      let exponent = Int(bytes[Int(offset) + 1] & 15)
      if exponent > 3 || number(Int(offset) + 2, 1 << exponent) > UInt64(bytes.count) { return true }
    }
    return false
  }

  /// Whether one of our files has content that Foundation cannot read back.
  static func isBeyondFoundation(_ bytes: [UInt8], _ format: FileFormat) -> Bool {
    switch format {
    case .xml:
      isNullText(bytes) || isEarly(bytes) || !places(of: "<key>$null</key>", in: bytes).isEmpty
        // A key that XML cannot hold.
        || !places(of: "<key>data:text/plain;charset=utf-8;base64,", in: bytes).isEmpty
    // The key of a dictionary; a value with this text has one more `$`.
    case .binary: places(of: "$null", in: bytes).contains { bytes[$0 - 6] == 0x55 }
    case .json, .ndjson: false
    }
  }

  /// Whether a text begins with `$null` and continues. Foundation's reader of XML lists fails at it.
  static func isNullText(_ bytes: [UInt8]) -> Bool {
    places(of: "<string>$null", in: bytes).contains { $0 >= bytes.count || bytes[$0] != UInt8(ascii: "<") }
  }

  /// Whether a text would be `$null` without entities and CDATA.
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

  /// Whether a table occurs a second time, even if the records of the first are wrong.
  static func hasTableTwice(_ bytes: [UInt8]) -> Bool {
    do {
      _ = try SnapshotSummary(of: bytes)
      return false
    } catch {
      return (error as? SnapshotError)?.code == .duplicate
    }
  }

  /// The ends of the occurrences of a text.
  static func places(of text: String, in bytes: [UInt8]) -> [Int] {
    let text = Array(text.utf8)
    return bytes.indices.filter { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }.map { $0 + text.count }
  }
}
