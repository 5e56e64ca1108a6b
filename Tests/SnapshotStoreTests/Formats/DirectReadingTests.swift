import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Direct reading gives the values and errors that `Codable` gives, for any bytes, any number of threads and any size
/// of parts.
@Suite struct DirectReadingTests {
  @Test func storesAsTheyAreWritten() {
    each(FileFormat.allCases, [true, false]) { (format: FileFormat, isTame: Bool) throws in
      for seed in SeededGenerator.seeds(4) {
        var generator = SeededGenerator(seed: seed)
        let model = try SampleModel(24, isTame: isTame, &generator)
        let expected = try SnapshotFile.encode(try PlainModel(model), as: .json)
        let bytes = try SnapshotFile.encode(model, as: format)
        for count in [0, 1] {
          var small = model
          for id in model.items.map(\.id).dropFirst(count) { small.items.remove(id) }
          try expectSame(try SnapshotFile.encode(small, as: format), "\(count) records, seed \(seed)")
        }
        #expect(try Outcome(general: bytes).value == expected)
        try expectSame(bytes, "seed \(seed)")
      }
    }
  }

  /// Written records are read directly, so that the other tests test direct reading.
  @Test(arguments: [FileFormat.json, .xml, .binary])
  func tameRecordsAreReadDirectly(format: FileFormat) throws {
    var generator = SeededGenerator(seed: 5)
    var model = try SampleModel(20, isTame: true, &generator)
    for id in model.items.map(\.id) {
      try model.items.update(id) { $0.integerIfAny = $0.integerIfAny.map { $0 % 1000 } }
    }
    let document = try Document(try SnapshotFile.encode(model, as: format), limits: ReadLimits())
    var counter = DirectCounter()
    try document.reader.readTables(&counter)
    #expect(counter.count == 20 + 2)
  }

  @Test func mutatedStores() {
    each(FileFormat.allCases, SeededGenerator.seeds(3)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      var sound = 0
      for _ in 0..<4 {
        let bytes = try SnapshotFile.encode(try SampleModel(5, isTame: !generator.chance(3), &generator), as: format)
        for number in 0..<Proofs.pick(full: 40, quick: 10) {
          let mutated = generator.mutated(bytes, as: format)
          if try expectSame(mutated, "seed \(seed), mutation \(number)") { sound += 1 }
        }
      }
      // If no file was readable, nothing beyond the first check was tested.
      #expect(sound > Proofs.pick(full: 10, quick: 2))
    }
  }

  /// Every byte in turn, of a store of two records.
  @Test func everyByteChanged() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var generator = SeededGenerator(seed: 3)
      var bytes = try SnapshotFile.encode(try SampleModel(2, isTame: true, &generator), as: format)
      for index in Proofs.share(of: bytes.indices, oneIn: 30) {
        let byte = bytes[index]
        bytes[index] = generator.pick([byte ^ 1, byte ^ 0x20, byte &+ 1, 0x20, 0x0A, 0, 0xFF])
        try expectSame(bytes, "byte \(index)", threads: [1])
        bytes[index] = byte
      }
    }
  }

  @Test func lowLimitsOfDepth() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var generator = SeededGenerator(seed: 1)
      let bytes = try SnapshotFile.encode(try SampleModel(12, isTame: true, &generator), as: format)
      for depth in 1...5 {
        var limits = ReadLimits(depth: depth)
        limits.partSize = 64
        let general = try Outcome(general: bytes, limits: limits)
        for threads in [1, 3] {
          #expect(try Outcome(direct: bytes, threads: threads, limits: limits) == general, "depth \(depth)")
        }
      }
    }
  }

  /// The beginnings of parts are guesses; similar text within a record must not be one.
  @Test func xmlPartsAreNotMisled() throws {
    var generator = SeededGenerator(seed: 2)
    let bytes = try SnapshotFile.encode(try SampleModel(30, isTame: true, &generator), as: .xml)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let ends = lines.indices.filter { lines[$0] == "\t\t</dict>" }
    let record = lines[ends[3]...ends[4]].joined(separator: "\n")
    for end in Proofs.share(of: ends, oneIn: 8) {
      for disguise in [
        ("\n<!--", "-->"), ("<!--", "\n--><!-- -->"), ("\n", ""), ("<![CDATA[", "]]>"), ("\n\t</array>", ""),
      ] {
        var changed = lines
        changed[end] += disguise.0 + record + disguise.1
        try expectSame(Array(changed.joined(separator: "\n").utf8), "line \(end), \(disguise)", threads: [3])
      }
    }
    let inText = String(decoding: bytes, as: UTF8.self).replacing(
      "<string>river</string>", with: "<string><![CDATA[\(record)]]></string>")
    try expectSame(Array(inText.utf8), "in texts")
  }

  /// Lists in Foundation's layout: containers come before their content, and equal values are written once.
  @Test(arguments: SeededGenerator.seeds(3))
  func listsOfFoundation(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for format in [FileFormat.xml, .binary] {
      let bytes = try SnapshotFile.encode(try SampleModel(20, isTame: true, &generator), as: format)
      let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      for other in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: other, options: 0)
        try expectSame(Array(data), "\(format) as \(other), seed \(seed)")
      }
    }
  }

  /// Objects that are shared, overlap, or have another order than the writer's.
  @Test func binaryListsOfAnyLayout() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      for round in 0..<12 {
        let widths = (generator.pick([2, 3, 4, 8]), generator.pick([2, 3, 4, 8]))
        let bytes = BinaryList.samples(24, offsetWidth: widths.0, referenceWidth: widths.1, &generator)
        try expectSame(bytes, "seed \(seed), round \(round)")
      }
    }
  }

  /// Compares both ways, and tells whether the bytes could be read.
  @discardableResult
  private func expectSame(
    _ bytes: [UInt8], _ what: String, threads: [Int] = [1, 3], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Bool {
    let general = try Outcome(general: bytes)
    var limits = ReadLimits()
    limits.partSize = 400
    for threads in threads {
      let direct = try Outcome(direct: bytes, threads: threads, limits: limits)
      #expect(direct == general, "\(what), \(threads) threads", sourceLocation: sourceLocation)
      let codable = try Outcome(codable: bytes, threads: threads, limits: limits)
      #expect(codable == general, "\(what), \(threads) threads, Codable", sourceLocation: sourceLocation)
    }
    return general.value != nil
  }
}

/// Counts the records that are read directly, before the first other one.
private struct DirectCounter: DocumentVisitor {
  var count = 0

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    var boxes: [Table<Sample>.Box] = []
    if let direct = Sample.directCodingIfAny { records.readDirectly(direct, into: &boxes, most: .max) }
    count += boxes.count
    while try records.next() != nil {}
  }

  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) { _ = try read() }
}

extension BinaryList {
  /// Samples whose objects are in the usual order, or in another; sometimes shared, sometimes in unusual forms.
  fileprivate static func samples(
    _ count: Int, offsetWidth: Int, referenceWidth: Int, _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var list = BinaryList()
    list.offsetWidth = offsetWidth
    list.referenceWidth = referenceWidth
    let names = ["id", "text", "flag", "count", "number", "date", "texts"]
    var keys: [Int] = []
    for name in names { keys.append(list.text(name)) }
    let (yes, shared, empty) = (list.add([0x09]), list.text("shared"), list.array([]))
    let half = BinaryList.bigEndian((0.5).bitPattern, width: 8)
    var records: [Int] = []
    for id in 0..<count {
      let isOdd = generator.chance(12)
      var values = [list.integer(UInt8(id))]
      if isOdd, generator.chance(2) { keys[1] = list.add([0x64, 0, 0x74, 0, 0x65, 0, 0x78, 0, 0x74]) }
      values.append(
        isOdd && generator.chance(2) ? shared : list.text(generator.pick(["", "abc", "$null", "$", "$$null"])))
      values.append(isOdd && generator.chance(4) ? list.add([0x08]) : yes)
      let number = BinaryList.bigEndian(generator.next() >> 1, width: 8)
      values.append(list.add(generator.pick([[0x10, 200], [0x11, 0, 1], [0x12, 0, 0, 0, 9], [0x13] + number])))
      values.append(list.add([0x23] + half))
      values.append(list.add([isOdd && generator.chance(2) ? 0x23 : 0x33] + half))
      let elements: [[UInt8]] = [[0x51, 0x61], [0x61, 0x20, 0x28], [0x62, 0xD8, 0x3D, 0xDE, 0], [0x50]]
      let element = list.add(isOdd && generator.chance(6) ? [0x61, 0xDE, 0] : generator.pick(elements))
      values.append(isOdd && generator.chance(2) ? empty : list.array([element]))
      var members = Array(zip(keys, values)).map { (key: $0.0, value: $0.1) }
      if isOdd, generator.chance(3) { members.swapAt(0, 3) }
      records.append(list.dictionary(members))
    }
    if generator.chance(3) { records.swapAt(3, 7) }
    let header = list.dictionary([
      (list.text("schema"), list.text("samples")), (list.text("version"), list.integer(1)),
    ])
    let top = list.dictionary([(list.text("snapshot"), header), (list.text("items"), list.array(records))])
    return list.bytes(top: top)
  }
}

extension SeededGenerator {
  private static let xmlPieces = [
    "<!-- - -->", "<![CDATA[a]]>", "&#65;", "&amp;", "&lt;", "&apos;", "&#13;", "&lol;", "$null", "$$null", "$", "\r",
    "\r\n", "\u{FFFE}", "\u{FFFF}", "\u{FFFD}", "\u{1}", "<string/>", "<array/>", "<dict/>", "<true/>", "<string>",
    "</string>", "</dict>", "\n\t\t</dict>\n\t\t<dict>", "<key>", " ", "\n", "\t", "-", "+", "0", ".5", "e1", "-0.0",
    "99999999999999999", "nan", "<data>AAAA</data>", "<real>1.5</real>", "<integer>7</integer>",
    "<date>2001-01-01T00:00:00Z</date>", "+02:00",
  ]
  private static let jsonPieces = [
    "\\u0041", "\\ud83d\\ude00", "\\ud83d", "\\/", "\\", "\"", ",", ",\n", ":", "{", "}", "[", "]", "},\n{", "null",
    "true", "\"\"", " ", "\n", "-", "0", ".5", "e1", "-0", "-0.0", "99999999999999999999", "\"NaN\"", "\u{1}",
    "\u{2028}", "+02:00", "\"texts\":[]", "\"id\":7,",
  ]

  /// The bytes with one to three changes that fit the format.
  fileprivate mutating func mutated(_ bytes: [UInt8], as format: FileFormat) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...2, using: &self) where bytes.count > 8 {
      if format == .binary { mutateList(&bytes) } else { mutateText(&bytes, as: format) }
    }
    return bytes
  }

  private mutating func mutateText(_ bytes: inout [UInt8], as format: FileFormat) {
    let index = Int.random(in: bytes.indices, using: &self)
    let end = min(bytes.count, index + Int.random(in: 1...8, using: &self))
    switch Int.random(in: 0..<9, using: &self) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
    case 1: bytes.removeSubrange(index..<end)
    case 2: bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: bytes.indices, using: &self))
    case 3, 4, 5: bytes.insert(contentsOf: pick(format == .xml ? Self.xmlPieces : Self.jsonPieces).utf8, at: index)
    case 6:
      // Another digit.
      guard let place = bytes[index...].firstIndex(where: { (0x30...0x39).contains($0) }) else { break }
      bytes[place] = pick(Array("0123456789".utf8))
    case 7:
      var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      let (a, b) = (Int.random(in: lines.indices, using: &self), Int.random(in: lines.indices, using: &self))
      switch Int.random(in: 0..<3, using: &self) {
      case 0: lines.swapAt(a, b)
      case 1: lines.insert(lines[a], at: b)
      default: lines.remove(at: a)
      }
      bytes = Array(lines.joined(separator: [0x0A]))
    default: if chance(6) { bytes.removeSubrange(index...) }
    }
  }

  private mutating func mutateList(_ bytes: inout [UInt8]) {
    let index = Int.random(in: 8..<bytes.count, using: &self)
    let other = Int.random(in: 8..<bytes.count, using: &self)
    let length = Int.random(in: 1...4, using: &self)
    switch Int.random(in: 0..<8, using: &self) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
    case 1:
      bytes[index] = pick([0, 0x08, 0x09, 0x10, 0x13, 0x23, 0x33, 0x50, 0x5F, 0x61, 0xA0, 0xA1, 0xD1, 0xDF, 0xFF])
    case 2: bytes[index] = bytes[index] &+ 1
    case 3, 4:
      // One reference, or one entry of the table of offsets, replaced by another.
      for step in 0..<length where max(index, other) + step < bytes.count { bytes[index + step] = bytes[other + step] }
    case 5: bytes.swapAt(index, other)
    case 6: bytes[index] = bytes[index] & 0xF0 | UInt8.random(in: 0..<16, using: &self)
    default: if chance(8) { bytes.removeSubrange(index..<min(bytes.count, index + length)) }
    }
  }
}
