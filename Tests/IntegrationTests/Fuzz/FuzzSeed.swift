@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// A replacement of some bytes of a file.
struct Edit {
  let range: Range<Int>
  let bytes: [UInt8]

  init(_ range: Range<Int>, _ bytes: [UInt8]) {
    self.range = range
    self.bytes = bytes
  }

  init(_ range: Range<Int>, _ text: String) { self.init(range, Array(text.utf8)) }

  /// The bytes with all edits applied that do not overlap with a later one.
  static func apply(_ edits: [Edit], to bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    var end = bytes.count
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) where edit.range.upperBound <= end {
      result.replaceSubrange(edit.range, with: edit.bytes)
      end = edit.range.lowerBound
    }
    return result
  }
}

/// A file from which mutations are made, with its parts.
struct FuzzSeed {
  let name: String
  let format: FileFormat
  let bytes: [UInt8]
  let isWide: Bool
  let layout: TextLayout
  let list: BinaryFuzzList?

  init(_ name: String, _ format: FileFormat, _ bytes: [UInt8], isWide: Bool) {
    self.name = name
    self.format = format
    self.bytes = bytes
    self.isWide = isWide
    switch format {
    case .json, .ndjson: layout = TextLayout(json: bytes)
    case .xml: layout = TextLayout(xml: bytes)
    case .binary: layout = TextLayout()
    }
    list = format == .binary ? BinaryFuzzList(bytes) : nil
  }
}
