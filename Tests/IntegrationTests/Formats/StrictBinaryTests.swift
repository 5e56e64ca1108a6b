import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Binary property lists: every count, offset and reference is checked before use.
@Suite struct StrictBinaryTests {
  @Test func aListMadeByHandIsGoodToBeginWith() throws {
    for width in [1, 2, 3, 4, 8] {
      var list = BinaryList(referenceWidth: width, offsetWidth: max(2, width))
      let tag = list.dictionary([(list.text("id"), list.text("a")), (list.text("name"), list.text("a"))])
      let tags = list.array([tag])
      let top = list.dictionary([(list.text("snapshot"), list.header()), (list.text("tags"), tags)])
      let bytes = list.bytes(top: top)
      #expect(try SnapshotFile.decode(Notebook.self, from: bytes).tags.count == 1)
    }
  }

  struct Damage: Sendable {
    let object: [UInt8]
    let message: String

    init(_ message: String, _ object: UInt8...) { (self.message, self.object) = (message, object) }

    /// A marker with a count of eight bytes.
    init(_ message: String, _ marker: UInt8, count: UInt64) {
      self.message = message
      object = [marker, 0x13] + BinaryList.bigEndian(count, width: 8)
    }
  }

  /// Objects in place of a note's text, and the expected message.
  static let damages = [
    Damage("beyond the end", 0xAF, count: .max), Damage("beyond the end", 0xAF, count: 1 << 62),
    Damage("beyond the end", 0xAF, 0x12, 0xFF, 0xFF, 0xFF, 0xFF), Damage("beyond the end", 0xAE),
    Damage("beyond the end", 0xDF, count: 1 << 63 - 1), Damage("beyond the end", 0xDF, count: 1 << 61),
    Damage("beyond the end", 0xDE), Damage("beyond the end", 0x5F, count: .max), Damage("beyond the end", 0x5E),
    Damage("beyond the end", 0x6F, count: 1 << 63), Damage("beyond the end", 0x6E),
    Damage("beyond the end", 0x4F, count: .max), Damage("beyond the end", 0x4E),
    Damage("a count is damaged", 0x5F, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    Damage("a count is damaged", 0x5F, 0x1F), Damage("a count is damaged", 0x5F, 0x50),
    Damage("a count is damaged", 0x5F, 0x09), Damage("a count is damaged", 0xAF, 0x22),
    Damage("a count is damaged", 0xDF), Damage("beyond the end", 0x13), Damage("beyond the end", 0x14),
    Damage("beyond the end", 0x22), Damage("beyond the end", 0x23), Damage("beyond the end", 0x33),
    Damage("unknown type", 0x01), Damage("unknown type", 0x0C), Damage("unknown type", 0x0F),
    Damage("unknown type", 0x15),
    Damage("unknown type", 0x1F), Damage("unknown type", 0x20), Damage("unknown type", 0x24),
    Damage("unknown type", 0x32),
    Damage("unknown type", 0x70), Damage("unknown type", 0x80, 1), Damage("unknown type", 0x81, 0, 1),
    Damage("unknown type", 0x90), Damage("unknown type", 0xB0), Damage("unknown type", 0xC0),
    Damage("unknown type", 0xCF, count: .max), Damage("unknown type", 0xE0), Damage("unknown type", 0xFF),
    Damage("ASCII text holds other bytes", 0x51, 0x80), Damage("ASCII text holds other bytes", 0x51, 0xFF),
    Damage("half of a surrogate pair", 0x61, 0xD8, 0), Damage("half of a surrogate pair", 0x61, 0xDC, 0),
    Damage("half of a surrogate pair", 0x62, 0xDC, 0, 0xD8, 0), Damage("half of a surrogate", 0x62, 0xD8, 0, 0, 0x41),
    Damage("an object that does not exist", 0xA1, 0xFF, 0xFF, 0xFF, 0xFF),
    Damage("an object that does not exist", 0xD1, 0, 0, 0, 0, 0xFF, 0, 0, 0),
  ]

  @Test func damagedObjects() {
    each(Self.damages) { (damage: Damage) in
      var list = BinaryList()
      let key = list.text("text")
      let (snapshot, header, notes) = (list.text("snapshot"), list.header(), list.text("notes"))
      // The damaged object comes last, so its false range is in the table of offsets and after it.
      let damaged = list.objects.count + 3
      let note = list.dictionary([(key, damaged)])
      let top = list.dictionary([(snapshot, header), (notes, list.array([note]))])
      #expect(list.add(damage.object) == damaged)
      let error = expectRefusal(of: list.bytes(top: top), .malformed, containing: damage.message)
      // A binary file has no lines.
      #expect(error?.position?.line == nil)
    }
  }

  @Test(arguments: [(1, 0), (.max, 1), (1 << 63, 0)] as [(UInt64, UInt64)])
  func integersOf128BitsAreOutOfRange(high: UInt64, low: UInt64) {
    var list = BinaryList()
    let number = list.add([0x14] + BinaryList.bigEndian(high, width: 8) + BinaryList.bigEndian(low, width: 8))
    expectRefusal(of: list.document(member: "id", number), .invalidValue, containing: "the integer is out of range")
  }

  /// Apple's tools write equal texts once. A list with many of them is as good as any.
  @Test func sharedTextsAreRead() throws {
    var list = BinaryList()
    let (id, name, text) = (list.text("id"), list.text("name"), list.text(String(repeating: "x", count: 200)))
    let tags = (0..<3_000).map { number in
      let own = list.text("\(number)")
      return list.dictionary([(id, own), (name, text)])
    }
    let top = list.dictionary([(list.text("snapshot"), list.header()), (list.text("tags"), list.array(tags))])
    let notebook = try SnapshotFile.decode(Notebook.self, from: list.bytes(top: top))
    #expect(notebook.tags.count == 3_000)
    #expect(notebook.tags.allSatisfy { $0.name.utf8.count == 200 })
  }

  @Test func objectsThatAreNoKeysAreRefused() {
    let objects: [[UInt8]] = [[0x10, 1], [0x09], [0x00], [0xA0], [0xD0], [0x40], [0x33, 0, 0, 0, 0, 0, 0, 0, 0]]
    for object in objects {
      var list = BinaryList()
      let note = list.dictionary([(list.add(object), list.text("x"))])
      let notes = list.array([note])
      expectRefusal(of: list.document(notes: notes), .malformed, containing: "a key is not text")
    }
  }

  @Test func theTrailerIsChecked() {
    var list = BinaryList()
    let good = list.document(notes: list.array([]))
    #expect(throws: Never.self) { try SnapshotFile.decode(Notebook.self, from: good) }
    let body = Array(good.dropLast(32))
    let (count, table) = (UInt64(list.objects.count), UInt64(body.count - 4 * list.objects.count))
    func refuse(_ o: Int, _ r: Int, _ c: UInt64, _ top: UInt64, _ t: UInt64, _ text: String = "the end of the binary") {
      let trailer = BinaryList.trailer(offsetWidth: o, referenceWidth: r, count: c, top: top, table: t)
      expectRefusal(of: body + trailer, .malformed, containing: text)
    }
    for width in [0, 1, 2, 3, 5, 9, 16, 255] { refuse(width, 4, count, count - 1, table) }
    for width in [0, 9, 255] { refuse(4, width, count, count - 1, table) }
    for other in [0, count - 1, count + 1, 1 << 62, 1 << 63, .max] { refuse(4, 4, other, 0, table) }
    for top in [count, count + 1, 1 << 32, .max] { refuse(4, 4, count, top, table) }
    for other in [0, 8, table - 1, table + 1, UInt64(body.count), UInt64(body.count) + 1, .max] {
      refuse(4, 4, count, count - 1, other)
    }
  }

  @Test func offsetsOutsideOfTheObjectsAreRefused() {
    var list = BinaryList()
    let good = list.document(list.text("x"))
    let table = good.count - 32 - 4 * list.objects.count
    for index in list.objects.indices {
      for offset in [0, 7, UInt64(table), UInt64(table) + 1, UInt64(good.count), 0xFFFF_FFFF] {
        var bytes = good
        let entry = table + 4 * index
        bytes.replaceSubrange(entry..<entry + 4, with: BinaryList.bigEndian(offset, width: 4))
        let error = expectRefusal(of: bytes, .malformed, containing: "outside of the file")
        #expect(error?.position?.offset == entry)
      }
    }
  }

  @Test func aContainerThatHoldsItselfIsRefused() {
    for isArray in [true, false] {
      for length in [1, 2, 5] {
        var list = BinaryList()
        let key = list.text("a")
        let first = list.objects.count
        for index in 0..<length {
          let next = first + (index + 1) % length
          _ = isArray ? list.array([next]) : list.dictionary([(key, next)])
        }
        expectRefusal(of: list.document(first), .malformed, containing: "a container holds itself")
      }
    }
  }

  @Test(arguments: ["bplist", "bplist0", "bplist00", "bplist00\0", "bplist00" + String(repeating: "\0", count: 33)])
  func aListThatIsCutOffIsRefused(text: String) {
    expectRefusal(of: text, text.utf8.count < 8 ? .unknownFormat : .malformed)
  }

  @Test func otherVersionsAreRefused() {
    each(["bplist01", "bplist10", "bplist15", "bplist16", "bplist0\u{0}"]) { (magic: String) in
      var list = BinaryList()
      let bytes = list.document(notes: list.array([])).dropFirst(8)
      expectRefusal(
        of: Array(magic.utf8) + bytes, .unknownFormat, containing: "not a binary property list of version 00")
    }
  }

  @Test func anObjectBesideItsPlaceHasItsOffset() throws {
    var list = BinaryList()
    let bytes = list.document(notes: list.text("x"))
    let error = expectRefusal(of: bytes, .invalidValue, containing: "expected an array of records", at: "notes")
    #expect(error?.position == SnapshotError.Position(offset: 8))
  }
}
