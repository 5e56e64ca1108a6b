import Foundation

@testable import NotebookTestSupport
@testable import TestSupport

/// A value as Foundation's decoders read it where a format can hold it directly. Otherwise it is read from the
/// substitute in the table of `Representation.swift`. None of the library's own code takes part.
struct Read<Value: OracleValue>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    let isJSON = decoder.userInfo[OracleFormat.key] as? OracleFormat == .json
    value = try Value.read(try decoder.singleValueContainer(), isJSON: isJSON)
  }
}

/// The format that Foundation is reading, in the decoder's `userInfo`.
enum OracleFormat: Sendable {
  case json, list

  static let key = CodingUserInfoKey(rawValue: "snapshot.fuzz")!
}

protocol OracleValue {
  static func read(_ container: any SingleValueDecodingContainer, isJSON: Bool) throws -> Self
}

/// Foundation and the table agree that the value is invalid.
struct OracleRefusal: Error, Equatable {
  let message: String
}

extension String: OracleValue {
  static func read(_ container: any SingleValueDecodingContainer, isJSON: Bool) throws -> String {
    do {
      let text = try container.decode(String.self)
      // One more `$` keeps a text from meaning null.
      let isEscaped = !isJSON && text.hasPrefix("$$") && text.drop { $0 == "$" } == "null"
      if isEscaped, text.utf8.last == UInt8(ascii: "l") { return String(text.dropFirst()) }
      return isJSON ? text : forbiddenText(text) ?? text
    } catch {
      // A program that knows no types may have made a text data or a number. A rule is for dates.
      if isJSON { throw error }
      if let data = try? container.decode(Data.self) { return "data:;base64," + data.base64EncodedString() }
      guard let number = try? container.decode(Double.self), !number.isFinite else { throw error }
      return name(of: number)
    }
  }

  /// The text for which another one stands in an XML list, because it has a character that XML forbids.
  private static func forbiddenText(_ text: String) -> String? {
    let mark = "data:text/plain;charset=utf-8;base64,"
    guard text.utf8.starts(with: mark.utf8), let data = Data(base64Encoded: String(text.dropFirst(mark.count))),
      mark + data.base64EncodedString() == text, let other = String(validating: data, as: UTF8.self),
      other.unicodeScalars.contains(where: isForbidden)
    else { return nil }
    return other
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar >= " " { return scalar == "\u{FFFE}" || scalar == "\u{FFFF}" }
    return !"\t\n\r".unicodeScalars.contains(scalar)
  }

  /// The name of a number that is not finite.
  static func name(of number: Double) -> String {
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    let bits = number.bitPattern
    return bits == Double.nan.bitPattern ? "NaN" : "NaN(0x" + String(bits, radix: 16) + ")"
  }
}

extension Double: OracleValue {
  static func read(_ container: any SingleValueDecodingContainer, isJSON: Bool) throws -> Double {
    do {
      return try container.decode(Double.self)
    } catch {
      guard let text = try? container.decode(String.self), let number = fromName(text) else { throw error }
      return number
    }
  }

  static func fromName(_ text: String) -> Double? {
    if let known = ["NaN": Double.nan, "Infinity": .infinity, "-Infinity": -.infinity][text] { return known }
    guard text.hasPrefix("NaN(0x"), text.hasSuffix(")"), text.utf8.count <= 23,
      let bits = UInt64(text.dropFirst(6).dropLast(), radix: 16)
    else { return nil }
    let number = Double(bitPattern: bits)
    return number.isNaN ? number : nil
  }
}

extension Float: OracleValue {
  static func read(_ container: any SingleValueDecodingContainer, isJSON: Bool) throws -> Float {
    do {
      return try container.decode(Float.self)
    } catch {
      guard let text = try? container.decode(String.self), let number = Double.fromName(text) else { throw error }
      if !number.isNaN { return Float(number) }
      // The upper bits of a NaN, so that a signalling one stays one. Without any bits it would be infinity.
      let payload = UInt32(truncatingIfNeeded: number.bitPattern >> 29) & 0x007F_FFFF
      let sign: UInt32 = number.sign == .minus ? 0x8000_0000 : 0
      return payload == 0 ? .nan : Float(bitPattern: sign | 0x7F80_0000 | payload)
    }
  }
}

extension Date: OracleValue {
  static func read(_ container: any SingleValueDecodingContainer, isJSON: Bool) throws -> Date {
    if !isJSON, let date = try? container.decode(Date.self) { return date }
    if let text = try? container.decode(String.self) {
      guard let seconds = SlowDate.seconds(text) ?? far(text) ?? Double.fromName(text) else {
        throw OracleRefusal(message: "no date")
      }
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    let seconds = try container.decode(Double.self)
    // From year 1 to 9999 a date is text.
    let hasText = seconds >= -63_113_904_000 && seconds < 252_423_993_600 && seconds.bitPattern != (-0.0).bitPattern
    if hasText { throw OracleRefusal(message: "a number for a date that has a text") }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// The seconds of a date outside the years 1 to 9999, or of negative zero: the only ones that are written so.
  private static func far(_ text: String) -> Double? {
    let origin = "2001-01-01T00:00:00Z"
    guard text.utf8.starts(with: origin.utf8) else { return nil }
    let sign = text.dropFirst(origin.count)
    let number = String(sign.hasPrefix("+") ? sign.dropFirst() : sign)
    guard !sign.isEmpty, let seconds = Double.fromName(number) ?? Double(number),
      !(seconds >= -63_113_904_000 && seconds < 252_423_993_600) || seconds.bitPattern == (-0.0).bitPattern
    else { return nil }
    let written = seconds.isFinite ? "\(seconds)" : String.name(of: seconds)
    return origin + (written.hasPrefix("-") ? written : "+" + written) == text ? seconds : nil
  }
}

extension Data: OracleValue {
  static func read(_ container: any SingleValueDecodingContainer, isJSON: Bool) throws -> Data {
    do {
      return try container.decode(Data.self)
    } catch {
      guard let text = try? String.read(container, isJSON: isJSON) else { throw error }
      let content = text.hasPrefix("data:;base64,") ? String(text.dropFirst(13)) : text
      guard let data = Data(base64Encoded: content), !isJSON || content.count < text.count else { throw error }
      return data
    }
  }
}

extension Decimal: OracleValue {
  static func read(_ container: any SingleValueDecodingContainer, isJSON: Bool) throws -> Decimal {
    if let text = try? container.decode(String.self) {
      if text == "NaN" { return .nan }
      let isPlain = text.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 || $0 == 46 }
      guard isPlain, Double(text) != nil, let decimal = Decimal(string: text) else {
        throw OracleRefusal(message: "no decimal")
      }
      return decimal
    }
    if isJSON { return try container.decode(Decimal.self) }
    if let integer = try? container.decode(Int64.self) { return Decimal(integer) }
    if let integer = try? container.decode(UInt64.self) { return Decimal(integer) }
    let number = try container.decode(Double.self)
    if String.name(of: number) == "NaN", number.isNaN { return .nan }
    guard number.isFinite, let decimal = Decimal(string: number.description) else {
      throw OracleRefusal(message: "no decimal")
    }
    return decimal
  }
}

extension URL: OracleValue {
  static func read(_ container: any SingleValueDecodingContainer, isJSON: Bool) throws -> URL {
    guard let text = try? String.read(container, isJSON: isJSON) else { return try container.decode(URL.self) }
    guard let url = URL(string: text) else { throw OracleRefusal(message: "no URL") }
    return url
  }
}
