import Foundation
import SnapshotStore

/// Values as literals, such that the database has exactly these values.
struct SQLLiteral {
  let dialect: SQLDialect

  /// Appends the value of a column; NULL for none.
  func append(_ value: UntypedValue?, as type: SQLType, to bytes: inout [UInt8]) {
    guard let value else { return bytes += "NULL".utf8 }
    if type == .json { return append(text: value.json, to: &bytes) }
    switch value.kind {
    case .null: bytes += "NULL".utf8
    case .bool: append(value.bool ?? false, to: &bytes)
    case .integer: append(integer: value, as: type, to: &bytes)
    case .real: append(real: value, as: type, to: &bytes)
    case .text: append(text: value.text ?? "", to: &bytes)
    case .date: append(date: value.text ?? "", as: type, to: &bytes)
    case .data: append(data: value.data ?? [], to: &bytes)
    case .decimal, .array, .dictionary: append(text: value.json, to: &bytes)
    }
  }

  private func append(_ bool: Bool, to bytes: inout [UInt8]) {
    switch dialect {
    case .sqlite: bytes.append(bool ? UInt8(ascii: "1") : UInt8(ascii: "0"))
    case .postgresql: bytes += (bool ? "true" : "false").utf8
    }
  }

  private func append(integer value: UntypedValue, as type: SQLType, to bytes: inout [UInt8]) {
    let digits = value.integer.map { "\($0)" } ?? "\(value.unsignedInteger ?? 0)"
    switch type {
    case .real, .signedZero: append(real: UntypedValue(value.number ?? 0), as: type, to: &bytes)
    // A column of digits, since SQLite has no such integers.
    case .unsigned where dialect == .sqlite: append(text: digits, to: &bytes)
    default: bytes += digits.utf8
    }
  }

  private func append(real value: UntypedValue, as type: SQLType, to bytes: inout [UInt8]) {
    let number = value.number ?? 0
    switch dialect {
    case .postgresql: append(text: number.isNaN ? "NaN" : number.description, to: &bytes)
    case .sqlite where number.isNaN: append(text: value.text ?? "NaN", to: &bytes)
    case .sqlite: bytes += SQLiteReal.literal(number).utf8
    }
  }

  private func append(date text: String, as type: SQLType, to bytes: inout [UInt8]) {
    switch (type, DateText(text)) {
    case (.timestamp, .far): bytes += "NULL".utf8
    case (.dateText(let digits), .calendar(let own)) where own < digits:
      let start = text.dropLast()
      append(text: start + (own == 0 ? "." : "") + String(repeating: "0", count: digits - own) + "Z", to: &bytes)
    default: append(text: text, to: &bytes)
    }
  }

  private func append(data: [UInt8], to bytes: inout [UInt8]) {
    bytes += (dialect == .sqlite ? "x'" : "'\\x").utf8
    append(hex: data, to: &bytes)
    bytes.append(Self.quote)
  }

  // MARK: Texts

  private func append(text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      switch dialect {
      case .sqlite:
        if utf8.contains(where: Self.isControl) {
          // The shell of SQLite ends a line at CRLF, and a statement at U+0000.
          bytes += "CAST(x'".utf8
          append(hex: utf8, to: &bytes)
          bytes += "' AS TEXT)".utf8
        } else {
          append(quoted: utf8, to: &bytes)
        }
      case .postgresql:
        let isEscaped = utf8.contains { $0 == Self.backslash || Self.isControl($0) }
        if isEscaped { appendEscaped(utf8, to: &bytes) } else { append(quoted: utf8, to: &bytes) }
      }
    }
  }

  private func append(quoted utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(Self.quote)
    var rest = utf8[...]
    while let quote = rest.firstIndex(of: Self.quote) {
      bytes += rest[...quote]
      bytes.append(Self.quote)
      rest = rest[(quote + 1)...]
    }
    bytes += rest
    bytes.append(Self.quote)
  }

  /// The form in which a backslash escapes. It does not depend on settings.
  private func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    bytes += "E'".utf8
    for byte in utf8 {
      if Self.isControl(byte) {
        bytes += "\\x".utf8
        append(hex: CollectionOfOne(byte), to: &bytes)
        continue
      }
      if byte == Self.quote || byte == Self.backslash { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(Self.quote)
  }

  private func append(hex data: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    for byte in data {
      bytes.append(Self.digit(byte >> 4))
      bytes.append(Self.digit(byte & 15))
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Whether a program on the way may change or drop the character. Line feeds and tabs stay.
  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F }

  private static let quote = UInt8(ascii: "'")
  private static let backslash = UInt8(ascii: "\\")
}
