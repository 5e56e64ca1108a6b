import Foundation

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A record that can be made from a plain struct with the same properties, which Foundation's decoders read.
protocol FuzzRecord: Record {
  associatedtype Shape: Decodable
  init(_ shape: Shape) throws
}

/// A model that can be read by Foundation's decoders.
protocol FuzzModel: Model {
  init(readBy container: KeyedDecodingContainer<TableKey>) throws

  /// A function that adds the record of a line to its table.
  static func inserter(_ table: String, _ line: KeyedDecodingContainer<TableKey>) throws -> (inout Self) throws -> Void
}

/// A line of newline-delimited JSON as Foundation reads it.
struct OracleLine<Root: FuzzModel>: Decodable {
  let insert: (inout Root) throws -> Void

  init(from decoder: any Decoder) throws {
    let line = try decoder.container(keyedBy: TableKey.self)
    if let table = try line.decodeIfPresent(String.self, forKey: TableKey(stringValue: "emptyTable")) {
      guard line.allKeys.count == 1, Root.schema.fields.map(\.name).contains(table) else {
        throw OracleRefusal(message: "no table")
      }
      insert = { _ in }
      return
    }
    let table = try line.decode(String.self, forKey: TableKey(stringValue: "table"))
    insert = try Root.inserter(table, line)
  }
}

extension KeyedDecodingContainer<TableKey> {
  fileprivate func record<Value: FuzzRecord>(_ type: Value.Type) throws -> Value {
    try Value(try decode(Value.Shape.self, forKey: TableKey(stringValue: "record")))
  }
}

/// A whole file as Foundation's decoders read it.
struct OracleFile<Root: FuzzModel>: Decodable {
  let root: Root

  private struct Header: Decodable {
    let schema: String
    let version: Int
    let checksum: UInt32?
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: TableKey.self)
    let header = try container.decode(Header.self, forKey: TableKey(stringValue: "snapshot"))
    guard header.schema == Root.schema.name, header.version == Root.schema.version else {
      throw OracleRefusal(message: "another schema")
    }
    root = try Root(readBy: container)
  }
}

/// The name of a table.
struct TableKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Table where Value: FuzzRecord {
  init(_ name: String, in container: KeyedDecodingContainer<TableKey>) throws {
    let key = TableKey(stringValue: name)
    guard container.contains(key) else {
      self.init()
      return
    }
    try self.init(try container.decode([Value.Shape].self, forKey: key).map(Value.init))
  }
}

// MARK: - Many types

/// A record of everything that Foundation's coders support, too.
struct Wide: Record {
  let id: Int64
  var text = ""
  var optionalText: String?
  var truth = false
  var integers = Integers()
  var float: Float = 0
  var double = 0.0
  var doubles: [Double] = []
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var optionalDate: Date?
  var data = Data()
  var uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  var url: URL?
  var decimal: Decimal?
  var gaps: [String?] = []
  var rows: [[Int]] = []
  var numberByText: [String: Int] = [:]
  var textByNumber: [Int: String] = [:]
  var numberByUUID: [UUID: Int] = [:]
  var few: Set<Int> = []
  var part = Part.nothing
  var color = Color.red
  var level: Level?
  var inner: Inner?

  /// An enumeration with associated values, one of them recursive.
  indirect enum Part: Codable, Sendable, Equatable {
    case nothing
    case square(Int)
    case sized(width: Int, height: UInt8?)
    case pair(Part, Part)
  }

  /// A nested structure.
  struct Inner: Codable, Sendable, Equatable {
    var on: Bool
    var counts: [Int?]
    var deeper: [Inner]
  }

  static func == (a: Wide, b: Wide) -> Bool { Exact.lines(a) == Exact.lines(b) }
}

extension Wide: FuzzRecord {
  struct Shape: Decodable {
    let id: Int64
    let text: Read<String>
    let optionalText: Read<String>?
    let truth: Bool
    let integers: Integers
    let float: Read<Float>
    let double: Read<Double>
    let doubles: [Read<Double>]
    let date: Read<Date>
    let optionalDate: Read<Date>?
    let data: Read<Data>
    let uuid: UUID
    let url: Read<URL>?
    let decimal: Read<Decimal>?
    let gaps: [Read<String>?]
    let rows: [[Int]]
    let numberByText: [String: Int]
    let textByNumber: [Int: Read<String>]
    let numberByUUID: [UUID: Int]
    let few: Set<Int>
    let part: Part
    let color: Color
    let level: Level?
    let inner: Inner?
  }

  init(_ shape: Shape) {
    self.init(
      id: shape.id, text: shape.text.value, optionalText: shape.optionalText?.value, truth: shape.truth,
      integers: shape.integers, float: shape.float.value, double: shape.double.value,
      doubles: shape.doubles.map(\.value), date: shape.date.value, optionalDate: shape.optionalDate?.value,
      data: shape.data.value, uuid: shape.uuid, url: shape.url?.value, decimal: shape.decimal?.value,
      gaps: shape.gaps.map { $0?.value }, rows: shape.rows, numberByText: shape.numberByText,
      textByNumber: shape.textByNumber.mapValues(\.value), numberByUUID: shape.numberByUUID, few: shape.few,
      part: shape.part, color: shape.color, level: shape.level, inner: shape.inner)
  }
}

/// A model with one table of such records.
struct WideModel: FuzzModel {
  var items = Table<Wide>()
  static let schema = Schema<WideModel>("wide", version: 1, Field("items", \.items))

  init() {}
  init(readBy container: KeyedDecodingContainer<TableKey>) throws { items = try Table("items", in: container) }

  static func inserter(_ table: String, _ line: KeyedDecodingContainer<TableKey>) throws -> (inout Self) throws -> Void
  {
    guard table == "items" else { throw OracleRefusal(message: "no such table") }
    let record = try line.record(Wide.self)
    return { try $0.items.insert(record) }
  }
}

// MARK: - Notes

extension Notebook: FuzzModel {
  init(readBy container: KeyedDecodingContainer<TableKey>) throws {
    self.init()
    attachments = try Table("attachments", in: container)
    deletedNotes = try Table("deletedNotes", in: container)
    notes = try Table("notes", in: container)
    tags = try Table("tags", in: container)
  }

  static func inserter(_ table: String, _ line: KeyedDecodingContainer<TableKey>) throws -> (inout Self) throws -> Void
  {
    switch table {
    case "attachments":
      let record = try line.record(Attachment.self)
      return { try $0.attachments.insert(record) }
    case "deletedNotes":
      let record = try line.record(DeletedNote.self)
      return { try $0.deletedNotes.insert(record) }
    case "notes":
      let record = try line.record(Note.self)
      return { try $0.notes.insert(record) }
    case "tags":
      let record = try line.record(SnapshotNotebook.Tag.self)
      return { try $0.tags.insert(record) }
    default: throw OracleRefusal(message: "no such table")
    }
  }
}

extension Note: FuzzRecord {
  struct Shape: Decodable {
    let id: Int64
    let text: Read<String>
    let archived: Bool
    let creationDate: Read<Date>
    let sortDate: Read<Date>
    let modificationDate: Read<Date>
    let textModificationDate: Read<Date>?
    let archivedModificationDate: Read<Date>?
    let sortDateModificationDate: Read<Date>?
    let tagsModificationDate: Read<Date>?
    let attachmentsModificationDate: Read<Date>?
    let tags: [Read<String>]
    let attachments: [Read<String>]
  }

  init(_ shape: Shape) {
    self.init(id: shape.id, text: shape.text.value, creationDate: shape.creationDate.value)
    archived = shape.archived
    sortDate = shape.sortDate.value
    modificationDate = shape.modificationDate.value
    textModificationDate = shape.textModificationDate?.value
    archivedModificationDate = shape.archivedModificationDate?.value
    sortDateModificationDate = shape.sortDateModificationDate?.value
    tagsModificationDate = shape.tagsModificationDate?.value
    attachmentsModificationDate = shape.attachmentsModificationDate?.value
    tags = shape.tags.map(\.value)
    attachments = shape.attachments.map(\.value)
  }
}

extension SnapshotNotebook.Tag: FuzzRecord {
  struct Shape: Decodable {
    let id: Read<String>
    let name: Read<String>
    let nameModificationDate: Read<Date>?
  }

  /// Only a notebook makes tags, so this one is decoded from a tree with just these values.
  init(_ shape: Shape) throws {
    var members = [
      Item.Member(key: "id", value: Item(.string(shape.id.value))),
      Item.Member(key: "name", value: Item(.string(shape.name.value))),
    ]
    if let date = shape.nameModificationDate?.value {
      let item = Item(.date(date.timeIntervalSinceReferenceDate))
      members.append(Item.Member(key: "nameModificationDate", value: item))
    }
    self = try ItemDecoder.decode(Self.self, from: Item(.dictionary(members)))
  }
}

extension Attachment: FuzzRecord {
  struct Shape: Decodable {
    let id: Read<String>
    let mimeType: Read<String>
    let height: Int
    let width: Int
  }

  init(_ shape: Shape) {
    self.init(id: shape.id.value, mimeType: shape.mimeType.value, height: shape.height, width: shape.width)
  }
}

extension DeletedNote: FuzzRecord {
  struct Shape: Decodable {
    let id: Int64
    let deletionDate: Read<Date>?
  }

  init(_ shape: Shape) { self.init(id: shape.id, deletionDate: shape.deletionDate?.value) }
}
