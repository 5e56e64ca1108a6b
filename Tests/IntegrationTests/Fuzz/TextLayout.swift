@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// The places of the parts of a text file.
struct TextLayout {
  struct Member {
    let key: Range<Int>
    let whole: Range<Int>
    let value: Range<Int>
    /// The number of the enclosing dictionary.
    let container: Int
  }

  struct Element {
    let whole: Range<Int>
    let container: Int
  }

  var scalars: [Range<Int>] = []
  var values: [Range<Int>] = []
  var members: [Member] = []
  var elements: [Element] = []
  /// The places where white space is allowed.
  var gaps: [Int] = []
  private var containers = 0

  init() {}
}

// MARK: - Finding the parts

extension TextLayout {
  /// The parts of well-formed JSON.
  init(json bytes: [UInt8]) {
    var offset = 0
    skip(bytes, &offset)
    while offset < bytes.count {
      _ = jsonValue(bytes, &offset)
      skip(bytes, &offset)
    }
  }

  private mutating func skip(_ bytes: [UInt8], _ offset: inout Int) {
    gaps.append(offset)
    while offset < bytes.count, ByteText.isWhitespace(bytes[offset]) { offset += 1 }
  }

  private static func skipString(_ bytes: [UInt8], _ offset: inout Int) {
    offset += 1
    while bytes[offset] != UInt8(ascii: "\"") { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
    offset += 1
  }

  private mutating func jsonValue(_ bytes: [UInt8], _ offset: inout Int) -> Range<Int> {
    let start = offset
    switch bytes[offset] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isObject = bytes[offset] == UInt8(ascii: "{")
      containers += 1
      let container = containers
      offset += 1
      skip(bytes, &offset)
      while bytes[offset] != UInt8(ascii: "}"), bytes[offset] != UInt8(ascii: "]") {
        let memberStart = offset
        var key = 0..<0
        if isObject {
          Self.skipString(bytes, &offset)
          key = memberStart + 1..<offset - 1
          skip(bytes, &offset)
          offset += 1
          skip(bytes, &offset)
        }
        let value = jsonValue(bytes, &offset)
        if isObject {
          members.append(Member(key: key, whole: memberStart..<offset, value: value, container: container))
        } else {
          elements.append(Element(whole: value, container: container))
        }
        skip(bytes, &offset)
        if bytes[offset] == UInt8(ascii: ",") { offset += 1 }
        skip(bytes, &offset)
      }
      offset += 1
    case UInt8(ascii: "\""):
      Self.skipString(bytes, &offset)
      scalars.append(start..<offset)
    default:
      while offset < bytes.count, !",]} \n\t\r".utf8.contains(bytes[offset]) { offset += 1 }
      scalars.append(start..<offset)
    }
    values.append(start..<offset)
    return start..<offset
  }

  /// The parts of a well-formed XML list.
  init(xml bytes: [UInt8]) {
    let plist = Array("<plist version=\"1.0\">".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: plist) }) else { return }
    var offset = start + plist.count
    skip(bytes, &offset)
    _ = xmlValue(bytes, &offset)
    skip(bytes, &offset)
  }

  /// The name of the tag at the offset, which moves past it.
  private static func tag(_ bytes: [UInt8], _ offset: inout Int) -> (name: String, isEmpty: Bool) {
    let start = offset + 1
    while bytes[offset] != UInt8(ascii: ">") { offset += 1 }
    offset += 1
    let isEmpty = bytes[offset - 2] == UInt8(ascii: "/")
    return (String(decoding: bytes[start..<offset - (isEmpty ? 2 : 1)], as: UTF8.self), isEmpty)
  }

  private mutating func xmlValue(_ bytes: [UInt8], _ offset: inout Int) -> Range<Int> {
    let start = offset
    let tag = Self.tag(bytes, &offset)
    if tag.name == "dict" || tag.name == "array", !tag.isEmpty {
      containers += 1
      let container = containers
      skip(bytes, &offset)
      while bytes[offset + 1] != UInt8(ascii: "/") {
        let memberStart = offset
        var key = 0..<0
        if tag.name == "dict" {
          _ = Self.tag(bytes, &offset)
          let keyStart = offset
          while bytes[offset] != UInt8(ascii: "<") { offset += 1 }
          key = keyStart..<offset
          _ = Self.tag(bytes, &offset)
          skip(bytes, &offset)
        }
        let value = xmlValue(bytes, &offset)
        if tag.name == "dict" {
          members.append(Member(key: key, whole: memberStart..<offset, value: value, container: container))
        } else {
          elements.append(Element(whole: value, container: container))
        }
        skip(bytes, &offset)
      }
      _ = Self.tag(bytes, &offset)
    } else if !tag.isEmpty {
      while bytes[offset] != UInt8(ascii: "<") { offset += 1 }
      _ = Self.tag(bytes, &offset)
      scalars.append(start..<offset)
    } else {
      scalars.append(start..<offset)
    }
    values.append(start..<offset)
    return start..<offset
  }
}
