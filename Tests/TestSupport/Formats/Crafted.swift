import Foundation
import Testing

@testable import SnapshotStore

/// Documents that the encoder would never make, written in any format by the library's own writers, with a right
/// checksum.
enum Crafted {
  /// A document of the given tables.
  static func document(
    _ tables: KeyValuePairs<String, [Item]>, as format: FileFormat, schema: String = "notebook", version: Int = 1
  ) -> [UInt8] {
    let body: [UInt8]
    if let writer = (format.parts as? any TextFormat.Type)?.writer {
      var sink = ByteSink()
      writer.begin(HeaderContent(schema: schema, version: version), &sink)
      for (name, records) in tables {
        writer.beginTable(name, isEmpty: records.isEmpty, &sink)
        for record in records { writer.append(record, of: name, &sink) }
        if !records.isEmpty { writer.endRecords(&sink) }
        writer.endTable(isEmpty: records.isEmpty, &sink)
      }
      writer.end(&sink)
      body = Array(sink.bytes)
    } else {
      var writer = BinaryWriter(HeaderContent(schema: schema, version: version))
      for (name, records) in tables {
        writer.beginTable(name)
        for record in records { writer.write(record) }
        writer.endTable()
      }
      body = writer.finish().bytes.array() ?? []
    }
    return format.prefix(checksum: Checksum.cksum(body[...])) + body
  }

  /// The same file without its checksum, as other tools write it.
  static func withoutChecksum(_ bytes: [UInt8], _ format: FileFormat) throws -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    switch format {
    case .json: return Array(text.replacing(/"checksum":\d+,\n/, with: "", maxReplacements: 1).utf8)
    case .ndjson: return Array(bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst())
    case .xml:
      let pattern = /\t\t<key>checksum<\/key>\n\t\t<integer>\d+<\/integer>\n/
      return Array(text.replacing(pattern, with: "", maxReplacements: 1).utf8)
    case .binary:
      var list = try #require(
        try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any])
      var header = try #require(list["snapshot"] as? [String: Any])
      header["checksum"] = nil
      list["snapshot"] = header
      return Array(try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
    }
  }
}

extension Item {
  /// A dictionary with some members replaced or added at the end, or removed where the change is nil.
  func changing(_ changes: KeyValuePairs<String, Item?>) -> Item {
    guard case .dictionary(var members) = content else { return self }
    for (key, value) in changes {
      let index = members.firstIndex { $0.key == ExactText(key) }
      switch (index, value) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
    return Item(.dictionary(members))
  }
}

extension Item: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  init(stringLiteral text: String) { self.init(.string(text)) }
  init(integerLiteral number: Int64) { self.init(.integer(number)) }
  init(floatLiteral number: Double) { self.init(.real(number)) }
}

extension Item: ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  init(booleanLiteral truth: Bool) { self.init(.bool(truth)) }
  init(arrayLiteral items: Item...) { self.init(.array(items)) }
  init(dictionaryLiteral members: (String, Item)...) {
    self.init(.dictionary(members.map { Member(key: $0.0, value: $0.1) }))
  }
}

/// Expects bytes to be refused, and returns the error.
@discardableResult
func expectRefusal<Root: Model>(
  of bytes: [UInt8], as type: Root.Type, _ code: SnapshotError.Code, containing text: String = "",
  at dataPath: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) -> SnapshotError? {
  let error = #expect(throws: SnapshotError.self, sourceLocation: sourceLocation) {
    try SnapshotFile.decode(type, from: bytes)
  }
  guard let error else { return nil }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  if !text.isEmpty { #expect(error.description.contains(text), sourceLocation: sourceLocation) }
  if let dataPath { #expect(error.dataPath == dataPath, "\(error)", sourceLocation: sourceLocation) }
  // Whatever the file contains, the message is one line without control characters.
  #expect(!error.description.unicodeScalars.contains { $0.isUnsafeInMessage }, sourceLocation: sourceLocation)
  return error
}

@discardableResult
func expectRefusal<Root: Model>(
  of text: String, as type: Root.Type, _ code: SnapshotError.Code, containing part: String = "",
  at dataPath: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) -> SnapshotError? {
  expectRefusal(of: Array(text.utf8), as: type, code, containing: part, at: dataPath, sourceLocation: sourceLocation)
}
