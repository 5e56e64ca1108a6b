import Foundation
import Testing

@testable import SnapshotStore

/// The test vectors of the file formats: files, and what `fixtures/vectors/index.json` says about them.
struct VectorIndex: Decodable, Sendable {
  let vectors: [Vector]
  let foreign: [ForeignFile]
  /// The files of `fixtures/corrupt` that only a reader with the types of a notebook refuses.
  let readableWithoutTypes: [String]

  /// A file of another program, with the content of a vector.
  struct ForeignFile: Decodable, Sendable {
    let file: String
    let sameAs: String
  }

  static let fixtures = URL(filePath: #filePath).appending(path: "../../../../fixtures").standardizedFileURL
  static let folder = fixtures.appending(path: "vectors")

  static func load() throws -> VectorIndex {
    try JSONDecoder().decode(VectorIndex.self, from: Data(contentsOf: folder.appending(path: "index.json")))
  }
}

/// A content, and its file in each format.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  let schema: String
  let version: Int
  /// The keys of ids that the header names; null where no key has the id.
  let ids: [String: String?]?
  let members: [Member]
  let files: [String: File]
  var testDescription: String { name }

  struct Member: Decodable, Sendable {
    let name: String
    let table: [TaggedValue]?
    let value: TaggedValue?
  }

  struct File: Decodable, Sendable {
    let file: String
    let bytes: Int
    let checksum: UInt32
  }

  func url(_ format: FileFormat) throws -> URL {
    guard let file = files[format.rawValue] else { throw CocoaError(.fileNoSuchFile) }
    return VectorIndex.folder.appending(path: file.file)
  }

  /// The content that the index describes.
  func content() -> SnapshotContent<UntypedModel> {
    var content = SnapshotContent<UntypedModel>(schema: schema, version: version)
    for member in members {
      guard let records = member.table else {
        content[value: member.name] = UntypedValue(member.value?.item ?? Item(.null))
        continue
      }
      let key = ids?[member.name].map { $0.map { IDKey.key(ExactText($0)) } ?? .nowhere }
      content[table: member.name] = UntypedTable(
        name: member.name, items: records.map(\.item), isSingleValue: false, idKey: key)
    }
    return content
  }
}

/// A value whose kind is told by a tag: `{"date": "…"}` has the 64 bits of the seconds in hexadecimal digits.
enum TaggedValue: Decodable, Sendable {
  case null
  case bool(Bool)
  case text(String)
  case integer(String)
  case real(bits: UInt64)
  case decimal(String)
  case date(bits: UInt64)
  case data([UInt8])
  case array([TaggedValue])
  case dictionary([(String, TaggedValue)])

  private enum Tag: String, CodingKey { case integer, real, decimal, date, data, array, dictionary }

  init(from decoder: any Decoder) throws {
    if let single = try? decoder.singleValueContainer() {
      if single.decodeNil() {
        self = .null
        return
      }
      if let truth = try? single.decode(Bool.self) {
        self = .bool(truth)
        return
      }
      if let text = try? single.decode(String.self) {
        self = .text(text)
        return
      }
    }
    let tagged = try decoder.container(keyedBy: Tag.self)
    func bits(_ tag: Tag) throws -> UInt64 {
      guard let bits = UInt64(try tagged.decode(String.self, forKey: tag), radix: 16) else {
        throw DecodingError.dataCorruptedError(forKey: tag, in: tagged, debugDescription: "not the bits of a number")
      }
      return bits
    }
    switch tagged.allKeys.first {
    case .integer: self = .integer(try tagged.decode(String.self, forKey: .integer))
    case .real: self = .real(bits: try bits(.real))
    case .decimal: self = .decimal(try tagged.decode(String.self, forKey: .decimal))
    case .date: self = .date(bits: try bits(.date))
    case .data:
      let digits = Array(try tagged.decode(String.self, forKey: .data))
      let pairs = stride(from: 0, to: digits.count, by: 2).map { String(digits[$0...$0 + 1]) }
      self = .data(pairs.compactMap { UInt8($0, radix: 16) })
    case .array: self = .array(try tagged.decode([TaggedValue].self, forKey: .array))
    case .dictionary:
      var pairs = try tagged.nestedUnkeyedContainer(forKey: .dictionary)
      var members: [(String, TaggedValue)] = []
      while !pairs.isAtEnd {
        var pair = try pairs.nestedUnkeyedContainer()
        members.append((try pair.decode(String.self), try pair.decode(TaggedValue.self)))
      }
      self = .dictionary(members)
    case nil:
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no known tag"))
    }
  }

  var item: Item {
    switch self {
    case .null: Item(.null)
    case .bool(let truth): Item(.bool(truth))
    case .text(let text): Item(.string(text))
    case .integer(let digits): Item(Int64(digits).map(Item.Content.integer) ?? .unsigned(UInt64(digits) ?? 0))
    case .decimal(let digits): Item(.decimal(digits))
    case .real(let bits): Item(.real(Double(bitPattern: bits)))
    case .date(let bits): Item(.date(Double(bitPattern: bits)))
    case .data(let bytes): Item(.data(bytes))
    case .array(let values): Item(.array(values.map(\.item)))
    case .dictionary(let members):
      Item(.dictionary(members.map { Item.Member(key: $0.0, value: $0.1.item) }))
    }
  }
}
