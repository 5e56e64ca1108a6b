@testable import TestSupport

/// Just enough of Swift's grammar to read the words of a source file.
struct SwiftWords {
  private let bytes: [UInt8]
  private var index = 0
  private var code: [UInt8] = []

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// A source without its comments and without the text of its string literals. Interpolated code stays.
  static func code(of text: String) -> String {
    var source = SwiftWords(text)
    source.readCode(untilParenthesis: false)
    return String(decoding: source.code, as: UTF8.self)
  }

  /// The identifiers and keywords of a code, with the braces and dots between them.
  static func words(ofCode code: String) -> [Substring] {
    let bytes = Array(code.utf8)
    var words: [Substring] = []
    var index = 0
    while index < bytes.count {
      let start = index
      index += 1
      switch bytes[start] {
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "."): break
      case let byte where isPartOfWord(byte) && !isDigit(byte):
        while index < bytes.count, isPartOfWord(bytes[index]) { index += 1 }
      default: continue
      }
      words.append(Substring(decoding: bytes[start..<index], as: UTF8.self))
    }
    return words
  }

  /// Beyond ASCII, code has letters only.
  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      || isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while index < bytes.count {
      let byte = bytes[index]
      // Most characters begin nothing, and a debug build takes its time to ask.
      let isPlain = byte != UInt8(ascii: "/") && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "\"")
      if isPlain, !untilParenthesis {
        code.append(byte)
        index += 1
      } else if skip("//") {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      } else if skip("/*") {
        skipBlockComment()
      } else if let hashes = hashesOfLiteral() {
        index += hashes
        skipLiteral(hashes)
      } else {
        if untilParenthesis {
          if bytes[index] == UInt8(ascii: "(") { depth += 1 }
          if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
          if depth < 0 { return }
        }
        code.append(bytes[index])
        index += 1
      }
    }
  }

  /// Block comments can be nested.
  private mutating func skipBlockComment() {
    var depth = 1
    while index < bytes.count, depth > 0 {
      if skip("*/") { depth -= 1 } else if skip("/*") { depth += 1 } else { index += 1 }
    }
    code.append(UInt8(ascii: " "))
  }

  /// The number of `#` before the quotation mark that begins a literal here; nil if none begins.
  private func hashesOfLiteral() -> Int? {
    guard bytes[index] == UInt8(ascii: "#") || bytes[index] == UInt8(ascii: "\"") else { return nil }
    let hashes = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
    let quote = index + hashes
    return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? hashes : nil
  }

  private mutating func skipLiteral(_ hashes: Int) {
    let fence = String(repeating: "#", count: hashes)
    let quote = skip("\"\"\"") ? "\"\"\"" : "\""
    if quote == "\"" { index += 1 }
    code += Array("\"\"".utf8)
    while index < bytes.count, !skip(quote + fence) {
      if skip("\\" + fence + "(") {
        code.append(UInt8(ascii: "("))
        readCode(untilParenthesis: true)
        code.append(UInt8(ascii: ")"))
        index += 1
      } else if skip("\\" + fence) {
        index += 1
      } else {
        index += 1
      }
    }
  }

  private mutating func skip(_ text: String) -> Bool {
    guard index < bytes.count, bytes[index] == text.utf8.first, bytes[index...].starts(with: text.utf8) else {
      return false
    }
    index += text.utf8.count
    return true
  }
}
