import Foundation

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

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

  /// A change without knowledge of the format.
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

  /// Invalid UTF-8 of every kind, byte order marks, and other special bytes.
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

  /// Changes that respect the parts of the text, and mostly keep it well-formed.
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
      // The same key in another spelling.
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

  /// Another value of the same kind, in one of its valid forms.
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

  // MARK: Inside scalars

  private mutating func scalarEdit(_ bytes: [UInt8], _ range: Range<Int>, _ isXML: Bool) -> Edit {
    var content = range
    if isXML {
      // The content between the tags, if there is any.
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
}
