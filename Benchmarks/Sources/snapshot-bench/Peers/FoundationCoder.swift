import Foundation
import SnapshotNotebook
import SnapshotStore

/// Foundation's coders, each with its fastest settings.
enum FoundationCoder {
  /// JSON with dates as numbers, which is the encoder's default and its fastest.
  case json
  case binary
  case xml

  func encode(_ value: some Encodable) throws -> Data {
    switch self {
    case .json: return try JSONEncoder().encode(value)
    case .binary: return try list(.binary).encode(value)
    case .xml: return try list(.xml).encode(value)
    }
  }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    switch self {
    case .json: try JSONDecoder().decode(type, from: data)
    case .binary, .xml: try PropertyListDecoder().decode(type, from: data)
    }
  }

  private func list(_ format: PropertyListSerialization.PropertyListFormat) -> PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    return encoder
  }

  /// Reads the library's JSON: dates are ISO 8601 with or without a fraction.
  ///
  /// `Date.ISO8601FormatStyle` is the fastest of Foundation's parsers that accept them, five times as fast as
  /// `ISO8601DateFormatter`. The decoder's own strategy `.iso8601` accepts no fractions.
  static func isoDecoder() -> JSONDecoder {
    let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let whole = Date.ISO8601FormatStyle()
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      if let date = try? withFraction.parse(text) { return date }
      return try whole.parse(text)
    }
    return decoder
  }
}

/// The part of the library's file that Foundation's decoders read: the notes alone, which leaves the rest out.
struct NoteList: Codable {
  var notes: [Note]
}

/// The same for the user's own records.
struct UserNoteList: Codable {
  var notes: [UserNote]
}
