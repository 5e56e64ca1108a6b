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
      return isEscaped && text.utf8.last == UInt8(ascii: "l") ? String(text.dropFirst()) : text
    } catch {
      guard !isJSON, let data = try? container.decode(Data.self), let text = String(validating: data, as: UTF8.self)
      else { throw error }
      return text
    }
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
      guard let seconds = SlowDate.seconds(text) ?? Double.fromName(text) else {
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
}

extension Data: OracleValue {
  static func read(_ container: any SingleValueDecodingContainer, isJSON: Bool) throws -> Data {
    do {
      return try container.decode(Data.self)
    } catch {
      guard !isJSON, let text = try? container.decode(String.self), let data = Data(base64Encoded: text) else {
        throw error
      }
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
