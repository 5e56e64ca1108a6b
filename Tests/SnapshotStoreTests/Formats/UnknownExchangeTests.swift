import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Unknown content that is converted from one format to another: the same content arrives.
@Suite struct UnknownExchangeTests {
  private static let header = #"{"snapshot":{"schema":"counters","version":1}"#

  private static func content(_ members: String) throws -> SnapshotContent<Counters> {
    try SnapshotFile.decodeContent(Counters.self, from: Array("\(header),\(members)}".utf8))
  }

  private static func lines(_ lines: String...) throws -> SnapshotContent<Counters> { try Self.lines(lines) }

  private static func lines(_ lines: [String]) throws -> SnapshotContent<Counters> {
    let text = ([header + "}"] + lines).joined(separator: "\n")
    return try SnapshotFile.decodeContent(Counters.self, from: Array(text.utf8))
  }

  /// The content as JSON, converted through other formats.
  private static func json(_ content: SnapshotContent<Counters>, via formats: [FileFormat] = []) throws -> String {
    var content = content
    for format in formats {
      content = try SnapshotFile.decodeContent(
        Counters.self, from: SnapshotFile.encode(content, as: format))
    }
    return String(decoding: try SnapshotFile.encode(content, as: .json), as: UTF8.self)
  }

  // MARK: Empty arrays

  @Test func anEmptyArrayStays() {
    each(FileFormat.allCases, FileFormat.allCases) { (first: FileFormat, second: FileFormat) throws in
      let content = try Self.content(#""zebra":[{"id":1}],"recent":[],"apple":[],"count":1,"list":["a"]"#)
      let json = try Self.json(content)
      #expect(json.contains(#""recent":[]"#))
      #expect(try Self.json(content, via: [first, second]) == json)
    }
  }

  @Test func linesOfAnEmptyArrayAreReadByAll() throws {
    let content = try Self.content(#""recent":[],"others":[]"#)
    let bytes = try SnapshotFile.encode(content, as: .ndjson)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(#"{"emptyTable":"recent"}"#) && text.contains(#"{"emptyTable":"others"}"#))
    // A single value, and a table.
    let workspace = Array(
      text.replacing("counters", with: "workspace").split(separator: "\n").dropFirst()
        .filter { !$0.contains("left") && !$0.contains("right") }.joined(separator: "\n").utf8)
    let value = try SnapshotFile.decode(Workspace.self, from: workspace)
    #expect(value.recent == [] && value.others.isEmpty)
    #expect(try SnapshotSummary(of: bytes).tables.map(\.name) == ["left", "right", "others", "recent"])
    // A line-by-line merge may add the first record of a table, before or behind its line.
    let (empty, record) = (#"{"emptyTable":"new"}"#, #"{"table":"new","record":{"id":1}}"#)
    let other = #"{"table":"other","record":{"id":2}}"#
    for lines in [[empty, record], [record, empty], [empty, other, record], [empty, empty, record]] {
      let merged = try Self.lines(lines)
      #expect(try Self.json(merged).contains("\"new\":[\n{\"id\":1}\n]"))
    }
  }

  /// An array that newline-delimited JSON declares to be a value stays one there, and is an ordinary array elsewhere.
  @Test func anArrayOfALineStaysALine() throws {
    let content = try Self.lines(
      #"{"field":"recent","value":["a","b"]}"#, #"{"field":"count","value":1}"#, #"{"table":"zebra","record":{"id":1}}"#
    )
    let text = String(decoding: try SnapshotFile.encode(content, as: .ndjson), as: UTF8.self)
    #expect(text.contains(#"{"field":"recent","value":["a","b"]}"#))
    let json = try Self.json(content)
    #expect(try Self.json(content, via: [.json]) == json)
    #expect(try Self.json(content, via: [.ndjson, .xml]) == json)
    #expect(content.unknownKeys.map(\.description).contains("the value recent"))
  }

  // MARK: The name of the header

  @Test func nothingIsCalledAsTheHeader() {
    each([
      #"{"field":"snapshot","value":{"x":1}}"#, #"{"field":"snapshot","value":1}"#,
      #"{"table":"snapshot","record":{"x":1}}"#,
    ]) { (line: String) throws in
      let error = #expect(throws: SnapshotError.self) { try Self.lines(#"{"field":"a","value":1}"#, line) }
      #expect(error?.code == .duplicate && error?.position?.line == 3, "\(error.map { "\($0)" } ?? "")")
      #expect(error?.message.contains("“snapshot”") == true)
    }
  }

  /// Salvage keeps the content that it finds. Content that could not be read again is not written.
  @Test func noNameIsWrittenTwice() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let lines = [Self.header + "}", #"{"field":"x","value":{"x":1}}"#, #"{"table":"x","record":{"x":1}}"#]
      let salvaged = try Salvaged<Counters>(of: Array(lines.joined(separator: "\n").utf8))
      do {
        let bytes = try SnapshotFile.encode(salvaged.content, as: format)
        _ = try SnapshotFile.decodeContent(Counters.self, from: bytes)
      } catch let error as SnapshotError {
        #expect(error.code == .unencodable && error.message.contains("“x” is both"), "\(error)")
      }
    }
  }

  @Test func whatXMLCanHoldIsKnownByEachCharacter() {
    for scalar in (0...0x1_1000).compactMap(Unicode.Scalar.init) + ["\u{1FFFE}", "\u{10FFFF}"] {
      let isHeld =
        scalar.value >= 0x20 ? ![0xFFFE, 0xFFFF].contains(scalar.value) : [9, 10, 13].contains(scalar.value)
      let text = "some text, &<>\r and more of it: \(Character(scalar)) and its end"
      let isFound = Array(text.utf8).withUnsafeBufferPointer(ByteText.isXML)
      if isFound != isHeld { Issue.record("U+\(String(scalar.value, radix: 16))") }
    }
  }

  // MARK: Characters that XML forbids

  @Test func everyTextIsWrittenAsXML() {
    each([
      #""first\u0000b":1"#, #""first\u0000b":[{"x":1}]"#, #""first\u0001b\uFFFE":{"x":1}"#, #""v":"\u0000""#,
      #""v":{"a\u0000":1}"#, #""v":[{"x":["\uFFFF"]}]"#, #""left":[{"id":1,"value":1,"x":"\u0000"}]"#,
      #""left":[{"id":1,"value":1,"x\u0000":1}]"#,
    ]) { (members: String) throws in
      let content = try Self.content(members)
      let json = try Self.json(content)
      #expect(try Self.json(content, via: [.xml]) == json)
      #expect(try Self.json(content, via: [.binary, .ndjson, .xml, .json]) == json)
    }
  }

  @Test func allElseIsWrittenAsXML() throws {
    let content = try Self.content(
      #""tab\t":"\r\n\t <&>","v":{"é":"\uFFFD\u007F"},"left":[{"id":1,"value":1,"x":"$null"}]"#)
    #expect(try Self.json(content, via: [.xml]) == Self.json(content))
  }

  // MARK: Recognising lines

  @Test func anObjectWithMoreThanALineIsJSON() {
    each([
      #"{"table":5,"#, #"{"record":[{"id":1}],"#, #"{"field":5,"value":6,"#, #"{"field":"x","value":6,"#,
      #"{"value":6,"#,
      #"{"table":"x","record":{"id":1},"#, #"{"record":{"id":1},"table":"x","#,
    ]) { (start: String) throws in
      let bytes = Array(start.utf8) + Array(Self.header.dropFirst().utf8) + Array("}".utf8)
      let content = try SnapshotFile.decodeContent(Counters.self, from: bytes)
      #expect(try SnapshotSummary(of: bytes).format == .json)
      #expect(!content.unknownKeys.isEmpty)
    }
  }

  /// The header must come before them, and the message about lines says so.
  @Test func aLineIsNoDocument() {
    each([
      #"{"table":"left","record":{"id":1,"value":1}}"#, #"{"record":{"id":1,"value":1},"table":"left"}"#,
      #"{"field":"x","value":1}"#, #"{"value":1,"field":"x"}"#, #"{"table":"left","record":{"id":1,"value":}}"#,
    ]) { (line: String) throws in
      let bytes = Array("\(line)\n\(Self.header)}\n".utf8)
      #expect(try FileFormat.open(bytes).0 == .ndjson)
    }
  }
}
