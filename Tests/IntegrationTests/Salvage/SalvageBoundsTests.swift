import Synchronization
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Memory and time of salvage depend on the records found, not on the damage.
@Suite(.serialized) struct SalvageBoundsTests {
  /// A record that counts its decodings, and refuses each.
  private struct Counted: Record, Codable {
    let id: Int

    static let attempts = Mutex(0)

    init(from decoder: any Decoder) throws {
      Self.attempts.withLock { $0 += 1 }
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "never"))
    }
  }

  private struct Counting: Model {
    var first = Table<Counted>()
    var second = Table<Counted>()
    static let schema = Schema<Counting>(
      "counting", version: 1,
      Field("first", \.first),
      Field("second", \.second))
  }

  private func attempts(_ format: FileFormat, _ records: [String]) throws -> Int {
    let before = Counted.attempts.withLock { $0 }
    let salvaged = try Salvaged<Counting>(of: Array((Self.beginning(format, table: "first") + records.joined()).utf8))
    #expect(salvaged.value.allViolations() == [])
    #expect(salvaged.format == format && salvaged.lossCount >= records.count)
    return Counted.attempts.withLock { $0 } - before
  }

  /// A file of the notebook or of the model here, up to the first record of a table.
  private static func beginning(_ format: FileFormat, table: String, schema: String = "counting") -> String {
    switch format {
    case .json: "{\"snapshot\":{\"schema\":\"\(schema)\",\"version\":1},\n\"\(table)\":[\n"
    case .ndjson: "{\"snapshot\":{\"schema\":\"\(schema)\",\"version\":1}}\n"
    default:
      """
      <?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<dict>\n<key>snapshot</key>
      <dict><key>schema</key><string>\(schema)</string><key>version</key><integer>1</integer></dict>
      <key>\(table)</key>\n<array>\n
      """
    }
  }

  private static let texts: [FileFormat] = [.json, .ndjson, .xml]

  /// A file that endlessly repeats one small value is not decoded endlessly.
  @Test(arguments: Proofs.share(of: texts, oneIn: 3)) func repeatedRecordsAreDecodedOnce(_ format: FileFormat) throws {
    let record = [.json: "{},", .ndjson: "{\"table\":\"first\",\"record\":{}}\n", .xml: "<dict/>"][format, default: ""]
    // Listed ones are decoded for each table, and no others. Lines without any record are then taken for JSON.
    let count = try attempts(format, Array(repeating: record, count: 2 * SalvageLoss.listLimit))
    #expect(count <= (format == .ndjson ? 5 : 2) * SalvageLoss.listLimit + 10)
  }

  /// A record that no table can hold is tried once for each table, and does not wait for the end of the file.
  @Test func recordsThatNoTableCanHold() throws {
    let count = 500
    // Reading the file as a whole ends at the first ones.
    #expect(try attempts(.json, (0..<count).map { "{\"x\":\($0)},\n" }) <= 2 * count + 10)
  }

  /// Nested beginnings of records.
  @Test(arguments: texts) func beginnings(_ format: FileFormat) throws {
    let (beginning, tag) =
      switch format {
      case .json: ("{\"a\":\n", "{\"id\":\"a\",\"name\":\"A\"}\n")
      case .ndjson:
        ("{\"table\":\"tags\",\"record\":\n", "{\"table\":\"tags\",\"record\":{\"id\":\"a\",\"name\":\"A\"}}\n")
      default:
        (
          "<dict><key>a</key>\n",
          "<dict><key>id</key><string>a</string><key>name</key><string>A</string></dict>\n"
        )
      }
    let text =
      Self.beginning(format, table: "tags", schema: "notebook") + String(repeating: beginning, count: 4_000) + tag
    let salvaged = try Salvaged<Notebook>(of: Array(text.utf8), limits: ReadLimits(depth: 300))
    // Fruitless reading ends in time. What is left goes beside the result.
    #expect(salvaged.value.tags.ids.elementsEqual(["a"]) || salvaged.unusedBytes.firstRange(of: Array(tag.utf8)) != nil)
  }

  /// Lines that are cut in the same way are listed with the place of each.
  @Test func placesOfEqualLosses() throws {
    let line = "{\"table\":\"notes\",\"record\":{\"id\":1,\"te\n"
    let text = Self.beginning(.ndjson, table: "notes", schema: "notebook") + String(repeating: line, count: 10)
    let salvaged = try Salvaged<Notebook>(of: Array(text.utf8))
    let records = salvaged.losses.filter { $0.kind == .record }
    #expect(records.compactMap { $0.position?.line } == Array(2...11))
    #expect(Set(records.compactMap { $0.position?.column }) == [line.utf8.count])
    #expect(Set(records.map(\.excerpt)) == [line])
    #expect(records.allSatisfy { $0.table == "notes" })
  }

  /// Records that are found again are one, and their number takes no memory.
  @Test func repeatedRecordsOfATable() throws {
    let text =
      Self.beginning(.json, table: "deletedNotes", schema: "notebook") + String(repeating: "{\"id\":1},\n", count: 100)
      + "{\"id\":2}, {\"id\":1}"
    let salvaged = try Salvaged<Notebook>(of: Array(text.utf8))
    #expect(salvaged.value.deletedNotes.ids.map { $0 } == [1, 2])
    #expect(!salvaged.losses.contains { $0.kind == .record })
  }

  /// In an unknown table too, two equal records with one id are one.
  @Test func repeatedRecordsOfAnUnknownTable() throws {
    let line = "{\"table\":\"others\",\"record\":{\"id\":1}}\n"
    let tables = Notebook.schema.fields.map { "{\"emptyTable\":\"\($0.name)\"}\n" }.joined()
    let beginning = Self.beginning(.ndjson, table: "", schema: "notebook") + tables
    let text = beginning + String(repeating: line, count: 11_000) + "{"
    let salvaged = try Salvaged<Notebook>(of: Array(text.utf8))
    #expect(salvaged.content.unknownKeys.map(\.count) == [1])
  }
}
