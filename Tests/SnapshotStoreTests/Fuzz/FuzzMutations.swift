import Foundation

@testable import SnapshotStore

/// A replacement of some bytes of a file.
struct Edit {
  let range: Range<Int>
  let bytes: [UInt8]

  init(_ range: Range<Int>, _ bytes: [UInt8]) {
    self.range = range
    self.bytes = bytes
  }

  init(_ range: Range<Int>, _ text: String) { self.init(range, Array(text.utf8)) }

  /// The bytes with all edits made that do not overlap with one further on.
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

/// A file that mutations are made of, with what is known of its parts.
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

/// Where the parts of a text file are.
struct TextLayout {
  struct Member {
    let key: Range<Int>
    let whole: Range<Int>
    let value: Range<Int>
    /// Which dictionary it is in.
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
  /// Where white space may stand.
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
    while offset < bytes.count, FileFormat.isWhitespace(bytes[offset]) { offset += 1 }
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

  /// The name of the tag at the offset, which is passed.
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

// MARK: - Mutations

extension SeededGenerator {
  /// A seed file with one to three changes.
  mutating func mutation(of seed: FuzzSeed, others: [FuzzSeed]) -> [UInt8] {
    if let list = seed.list, !chance(4) {
      let bytes = mutation(of: list)
      return chance(4) ? Edit.apply([byteEdit(bytes)], to: bytes) : bytes
    }
    var edits: [Edit] = []
    for _ in 0...pick([0, 0, 0, 1, 2]) {
      switch Int.random(in: 0..<20, using: &self) {
      case 0..<2: edits.append(byteEdit(seed.bytes))
      case 2 where chance(3): edits.append(splice(seed, others))
      default: edits.append(contentsOf: seed.format == .binary ? [byteEdit(seed.bytes)] : textEdits(seed))
      }
    }
    return Edit.apply(edits, to: seed.bytes)
  }

  /// A change that knows nothing of the format.
  mutating func byteEdit(_ bytes: [UInt8]) -> Edit {
    if bytes.isEmpty { return Edit(0..<0, [UInt8(truncatingIfNeeded: next())]) }
    let index = Int.random(in: bytes.indices, using: &self)
    let other = Int.random(in: bytes.indices, using: &self)
    let end = min(bytes.count, index + Int.random(in: 1...12, using: &self))
    switch Int.random(in: 0..<12, using: &self) {
    case 0, 1: return Edit(index..<index + 1, [bytes[index] ^ 1 << UInt8.random(in: 0..<8, using: &self)])
    case 2: return Edit(index..<index + 1, [UInt8(truncatingIfNeeded: next())])
    case 3: return Edit(index..<end, [])
    case 4: return Edit(index..<index, [UInt8(truncatingIfNeeded: next())])
    case 5: return Edit(index..<index, Array(bytes[index..<end]))
    case 6: return Edit(min(index, other)..<max(index, other), chance(2) ? [] : Array(repeating: 0x20, count: 1))
    case 7: return Edit(index..<index + 1, [bytes[other]])
    case 8: return Edit(index..<bytes.count, [])
    case 9:
      return Edit(index..<index, Array(bytes[min(index, other)..<min(max(index, other), min(index, other) + 200)]))
    case 10: return Edit(index..<index, pick(Self.strayBytes))
    default: return Edit(index..<index, Array(pick(Self.textPieces).utf8))
    }
  }

  /// Invalid UTF-8 of every kind, marks of byte order, and other bytes of note.
  static let strayBytes: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xE0, 0x80, 0x80], [0xE0, 0xA0], [0xED, 0xA0, 0x80],
    [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFE], [0xFF],
    [0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE], [0], [0x1F], [0x7F], [0xC2, 0x80], [0xE2, 0x80, 0xA8], [0x0B],
    [0x0C],
    [0xC2, 0xA0], [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF],
  ]

  /// The middle of another file.
  private mutating func splice(_ seed: FuzzSeed, _ others: [FuzzSeed]) -> Edit {
    let other = pick(others).bytes
    let start = Int.random(in: other.indices, using: &self)
    let end = min(other.count, start + Int.random(in: 1...300, using: &self))
    let index = Int.random(in: seed.bytes.indices, using: &self)
    return Edit(index..<min(seed.bytes.count, index + (chance(2) ? 0 : end - start)), Array(other[start..<end]))
  }

  /// Changes that keep to the parts of the text, mostly to what it stays well-formed by.
  private mutating func textEdits(_ seed: FuzzSeed) -> [Edit] {
    let (layout, bytes) = (seed.layout, seed.bytes)
    let isXML = seed.format == .xml
    guard let scalar = layout.scalars.randomElement(using: &self),
      let value = layout.values.randomElement(using: &self),
      let member = layout.members.randomElement(using: &self), let gap = layout.gaps.randomElement(using: &self)
    else { return [byteEdit(bytes)] }
    switch Int.random(in: 0..<26, using: &self) {
    case 0: return [Edit(scalar, isXML ? xmlValueText() : jsonValueText())]
    case 1: return [Edit(chance(2) ? member.value : value, isXML ? xmlValueText() : jsonValueText())]
    case 2...5: return [scalarEdit(bytes, scalar, isXML)]
    case 6: return removal(member.whole, in: bytes, isXML)
    case 7:
      let rest = Array(bytes[member.whole])
      return [Edit(member.whole.lowerBound..<member.whole.lowerBound, rest + (isXML ? [] : [UInt8(ascii: ",")]))]
    case 8:
      let siblings = layout.members.filter { $0.container == member.container }
      let other = pick(siblings)
      if other.whole == member.whole { return [byteEdit(bytes)] }
      return [Edit(member.whole, Array(bytes[other.whole])), Edit(other.whole, Array(bytes[member.whole]))]
    case 9: return [keyEdit(bytes, member, layout, isXML)]
    case 10:
      guard let element = layout.elements.randomElement(using: &self) else { return [byteEdit(bytes)] }
      if chance(2) { return removal(element.whole, in: bytes, isXML) }
      let other = pick(layout.elements).whole
      return [
        Edit(
          element.whole.lowerBound..<element.whole.lowerBound,
          Array(bytes[other]) + (isXML ? [] : [UInt8(ascii: ",")]))
      ]
    case 11: return [Edit(gap..<gap, pick(isXML ? Self.xmlFiller : Self.jsonFiller))]
    case 12: return [nesting(bytes, value, isXML)]
    case 13:
      return [Edit(chance(2) ? scalar : value, Array(bytes[chance(2) ? pick(layout.scalars) : pick(layout.values)]))]
    case 14 where isXML: return [xmlProseEdit(bytes)]
    case 15...25: return [kindlyEdit(bytes, scalar, isXML)]
    default: return [Edit(member.value, isXML ? xmlValueText() : jsonValueText())]
    }
  }

  private mutating func removal(_ range: Range<Int>, in bytes: [UInt8], _ isXML: Bool) -> [Edit] {
    if isXML || chance(8) { return [Edit(range, [])] }
    // With the comma after it or before it.
    if range.upperBound < bytes.count, bytes[range.upperBound] == UInt8(ascii: ",") {
      return [Edit(range.lowerBound..<range.upperBound + 1, [])]
    }
    if range.lowerBound > 0, bytes[range.lowerBound - 1] == UInt8(ascii: ",") {
      return [Edit(range.lowerBound - 1..<range.upperBound, [])]
    }
    return [Edit(range, [])]
  }

  private mutating func keyEdit(_ bytes: [UInt8], _ member: TextLayout.Member, _ layout: TextLayout, _ isXML: Bool)
    -> Edit
  {
    let key = String(decoding: bytes[member.key], as: UTF8.self)
    switch Int.random(in: 0..<5, using: &self) {
    case 0: return Edit(member.key, Array(bytes[pick(layout.members).key]))
    case 1:
      return Edit(member.key, pick(["snapshot", "notes", "id", "checksum", "", "Id", "text ", "$null", "e\u{301}"]))
    case 2:
      // The same key in other words.
      let escaped = key.unicodeScalars.map { scalar in
        if !chance(2) { return String(scalar) }
        if isXML { return "&#\(scalar.value);" }
        let digits = String(scalar.value, radix: 16, uppercase: chance(2))
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      }
      return Edit(member.key, escaped.joined())
    case 3: return Edit(member.key, key + pick(["\u{200D}", "x", " ", "\u{301}", "\\u0000", "\\u0301"]))
    default: return Edit(member.key, String(key.dropLast()))
    }
  }

  private mutating func nesting(_ bytes: [UInt8], _ range: Range<Int>, _ isXML: Bool) -> Edit {
    let depth = pick([1, 1, 2, 30, 58, 59, 60, 61, 62, 63, 64, 65, 70, 200, 510, 520])
    let (open, close) =
      isXML
      ? pick([("<array>", "</array>"), ("<dict><key>a</key>", "</dict>")]) : pick([("[", "]"), ("{\"a\":", "}")])
    let inside = Array(bytes[range])
    return Edit(
      range, Array(String(repeating: open, count: depth).utf8) + inside + String(repeating: close, count: depth).utf8)
  }

  /// Another value of the same kind, in one of its right forms.
  private mutating func kindlyEdit(_ bytes: [UInt8], _ range: Range<Int>, _ isXML: Bool) -> Edit {
    let old = String(decoding: bytes[range], as: UTF8.self)
    if isXML {
      if old.hasPrefix("<integer>") { return Edit(range, "<integer>\(wholeNumber())</integer>") }
      if old.hasPrefix("<real>") {
        return Edit(range, "<real>\(chance(2) ? pick(Self.numberTexts) : "\(double())")</real>")
      }
      if old.hasPrefix("<date>") {
        let whole = TextDate.text(dateSeconds().rounded()).flatMap { $0.hasPrefix("1") || $0.hasPrefix("2") ? $0 : nil }
        return Edit(range, "<date>\(whole ?? pick(Self.dateTexts))</date>")
      }
      if old.hasPrefix("<string>"), !old.contains("-") {
        let text = text().map { character in
          chance(3)
            ? character.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined()
            : ["&": "&amp;", "<": "&lt;"][character] ?? String(character)
        }
        return Edit(range, "<string>" + text.joined() + "</string>")
      }
      if old.hasPrefix("<data>") { return Edit(range, "<data>\n\(data().base64EncodedString())\t</data>") }
      if old == "<true/>" || old == "<false/>" { return Edit(range, chance(2) ? "<true/>" : "<false></false>") }
      return Edit(range, "<string>\(TextDate.text(dateSeconds()) ?? "NaN")</string>")
    }
    if old == "true" || old == "false" { return Edit(range, chance(2) ? "true" : "false") }
    if !old.hasPrefix("\"") {
      if !old.contains(".") { return Edit(range, wholeNumber()) }
      return Edit(range, chance(2) ? pick(Self.numberTexts) : "\(double())")
    }
    if SlowDate.seconds(String(old.dropFirst().dropLast())) != nil {
      return Edit(range, "\"\(chance(2) ? pick(Self.dateTexts) : TextDate.text(dateSeconds()) ?? "NaN")\"")
    }
    let text = text().unicodeScalars.map { scalar in
      if chance(3) || scalar.value < 0x20 || scalar == "\"" || scalar == "\\" {
        return String(scalar).utf16.map { "\\u" + ("000" + String($0, radix: 16)).suffix(4) }.joined()
      }
      return String(scalar)
    }
    return Edit(range, "\"" + text.joined() + "\"")
  }

  private mutating func wholeNumber() -> String {
    if chance(2) { return "\(integer(Int8.self))" }
    if chance(4) { return pick(Self.numberTexts) }
    return chance(2) ? "\(integer(Int64.self))" : "\(integer(UInt64.self))"
  }

  // MARK: Inside of scalars

  private mutating func scalarEdit(_ bytes: [UInt8], _ range: Range<Int>, _ isXML: Bool) -> Edit {
    var content = range
    if isXML {
      // What is between the tags, if there is anything.
      guard let start = bytes[range].firstIndex(of: UInt8(ascii: ">")),
        let end = bytes[range].lastIndex(of: UInt8(ascii: "<")), start < end
      else { return Edit(range, xmlValueText()) }
      content = start + 1..<end
    } else if bytes[range.lowerBound] == UInt8(ascii: "\"") {
      content = range.lowerBound + 1..<range.upperBound - 1
    }
    let place = Int.random(in: content.lowerBound...content.upperBound, using: &self)
    let isText = isXML || bytes[range.lowerBound] == UInt8(ascii: "\"")
    let isDate = content.count >= 20 && content.count < 40 && bytes[content.lowerBound + 4] == UInt8(ascii: "-")
    if isDate, chance(2) { return dateEdit(content, bytes) }
    if !isText || bytes[content].allSatisfy({ (0x2B...0x39).contains($0) }) { return numberEdit(content, place, bytes) }
    switch Int.random(in: 0..<5, using: &self) {
    case 0: return Edit(place..<place, pick(isXML ? Self.xmlTextPieces : Self.jsonTextPieces))
    case 1: return Edit(place..<place, pick(Self.strayBytes))
    case 2: return Edit(place..<min(content.upperBound, place + 1), [])
    case 3: return Edit(content, pick(isXML ? Self.xmlTextPieces : Self.jsonTextPieces))
    default: return Edit(place..<place, pick(Self.textPieces))
    }
  }

  private mutating func numberEdit(_ range: Range<Int>, _ place: Int, _ bytes: [UInt8]) -> Edit {
    let digit = "\(Int.random(in: 0...9, using: &self))"
    let end = range.upperBound
    switch Int.random(in: 0..<8, using: &self) {
    case 0: return Edit(place..<place, digit)
    case 1: return Edit(place..<min(end, place + 1), digit)
    case 2:
      return Edit(end..<end, pick([".0", ".5", "e0", "E+1", "e-1", ".", "e", "e400", "e-400", "0", "000", "_", " "]))
    case 3: return Edit(range.lowerBound..<range.lowerBound, pick(["-", "+", "0", "00", ".", "0x", "1e", " ", "--"]))
    case 4: return Edit(place..<place, (0..<24).map { _ in "\(UInt8.random(in: 0...9, using: &self))" }.joined())
    case 5: return Edit(range, "\(double())")
    case 6: return Edit(range, "\(integer(Int64.self))")
    default: return Edit(range, pick(Self.numberTexts))
    }
  }

  private mutating func dateEdit(_ range: Range<Int>, _ bytes: [UInt8]) -> Edit {
    let place = Int.random(in: range, using: &self)
    let end = range.upperBound
    switch Int.random(in: 0..<6, using: &self) {
    case 0: return Edit(place..<place + 1, "\(UInt8.random(in: 0...9, using: &self))")
    case 1:
      return Edit(
        end - 1..<end, pick(["", "z", "+00:00", "-00:00", "+02:00", "-23:59", "+24:00", "+0200", "+02", "Z "]))
    case 2:
      let digits = (0...Int.random(in: 0...30, using: &self)).map { _ in "\(UInt8.random(in: 0...9, using: &self))" }
      return Edit(end - 1..<end, "." + digits.joined() + "Z")
    case 3: return Edit(place..<place + 1, pick([" ", ":", "-", "t", "T", "/", "", "٣"]))
    case 4:
      return Edit(
        range.lowerBound + 5..<range.lowerBound + 10, pick(["02-29", "02-30", "12-31", "00-10", "13-01", "04-31"]))
    default: return Edit(range, pick(Self.dateTexts))
    }
  }

  // MARK: Words

  static let numberTexts = [
    "0", "-0", "1", "1.0", "-1.0", "1e0", "1E+2", "1.5e-3", "00", "01", "-", "+1", ".5", "1.", "1.e1", "1e", "1e+",
    "1e400", "-1e400", "1e-400", "255", "256", "-128", "-129", "65536", "4294967295", "4294967296",
    "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "340282366920938463463374607431768211456", "0.1000000000000000055511151231257827",
    "123456789012345678901234567890e-10", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
    "2.2250738585072011e-308", "1.7976931348623157e308", "1.7976931348623159e308", "179769313486231580793e289",
    "3.4028235e38", "3.4028236e38", "1.401298464324817e-45", "16777217", "16777217.0", "1.00000017881393432617187499",
    "9007199254740993", "9007199254740993.0", "0.30000000000000004", "NaN", "Infinity", "-Infinity", "nan", "inf",
    "0x10",
    "1_000", "1e0000000000000000000001", "0.000000000000000000000000000000000000000000000000000000000000001e63",
    "-63113904000", "-63113904000.5", "-63113904001", "252423993599.9", "252423993600", "1e15", "5e-324",
  ]

  static let dateTexts = [
    "2001-01-01T00:00:00Z", "2001-02-29T00:00:00Z", "2000-02-29T23:59:59Z", "1900-02-29T00:00:00Z",
    "0000-12-31T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.9999999999999Z",
    "9999-12-31T23:59:59-23:59", "10000-01-01T00:00:00Z", "1582-10-10T00:00:00Z", "2016-12-31T23:59:60Z",
    "2001-01-01T24:00:00Z", "2001-01-01T00:00:00", "2001-01-01", "2001-01-01T00:00Z", "2001-1-1T00:00:00Z",
    "2001-01-01 00:00:00Z", "2001-01-01t00:00:00z", "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00,5Z",
    "2001-01-01T00:00:00.5Z", "2000-12-31T23:59:59.5Z", "2000-12-31T23:59:59.99999999999999999999999999999Z",
    "1999-01-01T00:00:00.123456789012345678901234567890Z", "2014-06-12T05:07:04.000000000000000000000001Z", "NaN",
    "Infinity", "-Infinity", "NaN(0x7ff8000000000001)", "NaN(0x7ff0000000000000)", "NaN(0xfff)", "NaN()", "", " ",
    "2001-01-01T00:00:00Z\\n", "+001-01-01T00:00:00Z",
  ]

  static let jsonTextPieces = [
    #"\""#, #"\\"#, #"\/"#, #"\b\f\n\r\t"#, #"\u0041"#, #"\u00e9"#, #"\u00E9"#, #"\ud83d\ude00"#, #"\uD83D\uDE00"#,
    #"\ud800"#, #"\udc00\ud800"#, #"\ud83d\u0041"#, #"\ud83dx"#, #"\u00"#, #"\u"#, #"\u00g0"#, #"\x41"#, #"\'"#, #"\0"#,
    #"\u0000"#, #"\u001f"#, #"\ufffe"#, #"\uffff"#, #"\U0041"#, #"\"#, "\"", "\u{7F}", "\t", "\n", "\0", "\u{1F}", "'",
    "é",
    "😀", "\u{2028}", #"\u2028"#, #"\u+123"#, #"\u 123"#, #"\u１２３４"#, #"\ud83d\n"#, #"\ud83d\u"#, #"\u00e9\u0301"#,
  ]

  static let xmlTextPieces = [
    "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&", "&;", "&#65;", "&#x41;", "&#X41;", "&#x1F600;", "&#xD800;",
    "&#0;",
    "&#1;", "&#13;", "&#x0D;", "&#10;", "&#xFFFE;", "&#xFFFF;", "&#x110000;", "&#99999999999;", "&#;", "&#x;", "&#65",
    "&#+65;", "&#x 41;", "&nbsp;", "&lol;", "&AMP;", "<![CDATA[a<b&c]]>", "<![CDATA[]]>", "<![CDATA[]]]]>", "<![CDATA[",
    "]]>", "<!-- c -->", "<!---->", "<!-- a -- b -->", "<!--", "<b/>", "<b>", "</b>", "<", ">", "\"", "'", "\r", "\r\n",
    "\t", "\n", "\0", "\u{1}", "\u{B}", "\u{7F}", "\u{85}", "\u{2028}", "\u{FFFE}", "\u{FFFF}", "é", "😀", "$null",
    "$$null",
    "<?pi x?>", "  ", " $null", "0", "1", "-", "+", ".", "e", "=", "&#000000000000065;", "&#x000000041;",
  ]

  static let jsonFiller = [
    " ", "\n", "\r\n", "\t", "  \n\t ", ",", ",,", "/* c */", "// c\n", "#c\n", "\u{FEFF}", "\u{A0}", "\u{B}", "\u{C}",
    "\0",
    "\u{2028}", "null", "}", "]", "{", "[", ":", "\"\"", ";", "{}", "[]", "\u{85}", "0", "{\"snapshot\":1}",
  ]

  static let xmlFiller = [
    " ", "\n", "\r\n", "\t", "<!-- c -->", "<!---->", "<!-- <dict> & -->", "<!-- a -- b -->", "<!-->", "<!--->", "text",
    "&amp;",
    "&#32;", "<![CDATA[ ]]>", "<![CDATA[]]>", "<?pi?>", "<?xml version=\"1.0\"?>", "\u{FEFF}", "\u{A0}", "\0",
    "<key>x</key>",
    "<string/>", "</dict>", "<dict>", "</plist>", "</array>", "<!DOCTYPE plist>", "<", ">", "/", "<null/>",
    "<integer>1</integer>",
  ]

  private mutating func jsonValueText() -> String {
    switch Int.random(in: 0..<8, using: &self) {
    case 0, 1: return pick(Self.numberTexts)
    case 2: return "\"" + pick(Self.dateTexts) + "\""
    case 3: return "\"" + pick(Self.jsonTextPieces) + "\""
    case 4: return "\(chance(2) ? double() : dateSeconds())"
    case 5: return "\(chance(2) ? integer(Int64.self) : Int64(integer(UInt8.self)))"
    case 6: return "\"" + pick(Self.numberTexts) + "\""
    default:
      return pick([
        "null", "true", "false", "NULL", "True", "tru", "nul", "nulll", "undefined", "{}", "[]", "[[]]", "[null]",
        "[1,2]", "[\"a\"]", "{\"a\":1}", "{\"\":null}", "\"\"", "'a'", "\"a", "a", "[1,]", "{\"a\":1,}", "[,1]", "{,}",
        "\"AA==\"", "\"AAA=\"", "\"AB==\"", "\"A===\"", "\"AA\"", "\"AA==\\n\"", "\"\\u0041A==\"", "\"A A==\"",
        "[[1],[2,3]]",
        "{\"nothing\":{}}", "{\"square\":{\"_0\":3}}", "{\"nothing\":{},\"square\":{\"_0\":3}}",
        "{\"sized\":{\"width\":1}}",
        "{\"sized\":{\"width\":1,\"height\":null}}", "{\"nothing\":{\"x\":1}}", "\"red\"", "\"Red\"", "-1",
        "\"https://example.org/\"", "\"a b\"", "\"\\u00e9\"", "{\"relative\":\"a\"}",
        "\"00010203-0405-0607-0809-0a0b0c0d0e0f\"", "\"00010203\"",
      ])
    }
  }

  private mutating func xmlValueText() -> String {
    switch Int.random(in: 0..<8, using: &self) {
    case 0: return "<integer>\(pick(Self.numberTexts))</integer>"
    case 1: return "<real>\(pick(Self.numberTexts))</real>"
    case 2: return "<date>\(pick(Self.dateTexts))</date>"
    case 3: return "<string>\(pick(chance(2) ? Self.xmlTextPieces : Self.dateTexts))</string>"
    case 4: return "<real>\(chance(2) ? double() : dateSeconds())</real>"
    case 5: return "<integer>\(chance(2) ? integer(Int64.self) : Int64(integer(UInt8.self)))</integer>"
    case 6:
      return
        "<data>\(pick(["", "AA==", "AAA=", "AB==", "A", "AA", "A A = =", "AA==AA==", "====", "AA\n==\n", "é", "<!---->"]))</data>"
    default:
      return pick([
        "<true/>", "<false/>", "<true></true>", "<true>x</true>", "<true> </true>", "<True/>", "<null/>", "<string/>",
        "<string></string>", "<string>$null</string>", "<array/>", "<dict/>", "<array></array>", "<dict></dict>",
        "<array> </array>", "<dict>a</dict>", "<array>a</array>", "<set/>", "<integer/>", "<real/>", "<date/>",
        "<data/>",
        "<key>a</key>", "<integer> 1 </integer>", "<integer>0x1F</integer>", "<integer>+5</integer>",
        "<integer>-0x1</integer>",
        "<real>1.5 </real>", "<real>+infinity</real>", "<real>-inf</real>", "<real>nan</real>", "<string >a</string >",
        "<string a=\"b\">c</string>", "<string\n>a</string\n>", "< string>a</string>", "<string>a</ string>",
        "<string>a</String>",
        "<String>a</String>", "<string>a", "<array><string>a</string>", "<dict><key>a</key></dict>",
        "<dict><string>a</string></dict>", "<array><key>a</key></array>", "<integer>1<!-- c -->2</integer>",
        "<integer><![CDATA[1]]></integer>", "<date><!-- c -->2001-01-01T00:00:00Z</date>",
        "<data>AA<!-- c -->==</data>",
        "<string>a<!-- c -->b</string>", "<integer>&#49;</integer>", "<true/ >", "<true / >",
        "<dict><key/><true/></dict>",
        "<array><integer>1</integer><integer>2</integer></array>", "<dict><key>CF$UID</key><integer>1</integer></dict>",
      ])
    }
  }

  /// Changes to what stands around the values: declaration, document type, root element and tags.
  private mutating func xmlProseEdit(_ bytes: [UInt8]) -> Edit {
    let text = String(decoding: bytes.prefix(300), as: UTF8.self)
    func range(_ start: String, _ end: String) -> Range<Int>? {
      guard let from = text.range(of: start), let to = text.range(of: end, range: from.upperBound..<text.endIndex)
      else {
        return nil
      }
      return text.utf8.distance(
        from: text.startIndex, to: from.lowerBound)..<text.utf8.distance(
          from: text.startIndex, to: to.upperBound)
    }
    if chance(3), let declaration = range("<?xml", "?>") {
      return Edit(
        declaration,
        pick([
          "", "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='utf-8'?>", "<?xml version=\"1.1\"?>",
          "<?xml version=\"1.0\" encoding=\"UTF-16\"?>", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", "<?xml?>",
          "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>",
          "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>",
          " <?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"x\"?>", "<?xml", "<!-- c -->", "\u{FEFF}",
        ]))
    }
    if chance(2), let type = range("<!DOCTYPE", ">") {
      return Edit(
        type,
        pick([
          "", "<!DOCTYPE plist>", "<!DOCTYPE plist SYSTEM \"a\">", "<!DOCTYPE plist [<!ENTITY a \"b\">]>",
          "<!DOCTYPE plist []>",
          "<!DOCTYPE html>", "<!DOCTYPE>", "<!DOCTYPE plist PUBLIC \"x\" \"y\">", "<!doctype plist>", "<!DOCTYPE plist",
          "<!DOCTYPE plist PUBLIC \"a>b\" \"c\">", "<!DOCTYPE plist><!DOCTYPE plist>", "<!-- c -->",
        ]))
    }
    guard let root = range("<plist", ">") else { return byteEdit(bytes) }
    return Edit(
      root,
      pick([
        "<plist>", "<plist version='1.0'>", "<plist version=\"1.1\">", "<plist  version=\"1.0\">",
        "<plist version=\"1.0\" >", "<Plist>",
        "<plist/>", "", "<plist a=\"b\" version=\"1.0\">", "<plist version=1.0>", "<plist><plist>", "<dict>",
      ]))
  }
}
