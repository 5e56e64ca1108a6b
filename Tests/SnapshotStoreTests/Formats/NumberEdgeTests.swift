import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Numbers that a type cannot tell from their neighbours are refused, not silently rounded.
@Suite struct NumberEdgeTests {
  private struct Numbers: Record {
    let id: Int
    var decimal: Decimal?
    var float: Float?
    var double: Double?
  }

  private struct Root: Model {
    var numbers = Table<Numbers>()
    static let schema = Schema<Root>("root", version: 1, Field("numbers", \.numbers))
  }

  private func json(_ member: String) -> [UInt8] {
    Array("{\"snapshot\":{\"schema\":\"root\",\"version\":1},\"numbers\":[{\"id\":1,\(member)}]}".utf8)
  }

  private func read(_ member: String) throws -> Numbers? {
    try SnapshotFile.decode(Root.self, from: json(member)).numbers[1]
  }

  // The last two say no more than the `Double` 0.1, which is another number for a `Decimal`.
  @Test(arguments: [
    "9007199254740993.0", "0.1234567890123456", "123456789012345.67", "65.613616999999977", "0.10000000000000001",
    "0.1000000000000000055511151231257827",
  ])
  func aDecimalOfMoreThanFifteenDigitsHasToBeText(number: String) throws {
    expectRefusal(of: json("\"decimal\":\(number)"), as: Root.self, .invalidValue, containing: "15 digits")
    #expect(try read("\"decimal\":\"\(number)\"")?.decimal == Decimal(string: number))
  }

  // `plutil` writes 0.1 so: a real of a property list is a `Double`.
  @Test func aRealOfAPropertyListIsItsDouble() throws {
    let list = """
      <plist version="1.0"><dict>
      <key>snapshot</key><dict><key>schema</key><string>root</string><key>version</key><integer>1</integer></dict>
      <key>numbers</key><array><dict>
      <key>id</key><integer>1</integer><key>decimal</key><real>0.10000000000000001</real>
      </dict></array></dict></plist>
      """
    #expect(try SnapshotFile.decode(Root.self, from: Array(list.utf8)).numbers[1]?.decimal == Decimal(string: "0.1"))
  }

  @Test(arguments: [
    "0.123456789012345", "12345678901234.5", "-0.00000000000000123", "0.10000000000000000000", "1200e-18",
  ])
  func aDecimalOfFewerDigitsIsExact(number: String) throws {
    #expect(try read("\"decimal\":\(number)")?.decimal == Decimal(string: number))
  }

  // Slightly below the middle of two floats, and equal to it as a `Double`.
  @Test func aFloatIsNotRoundedTwice() throws {
    let number = "1.00000017881393432617187499"
    expectRefusal(of: json("\"float\":\(number)"), as: Root.self, .invalidValue, containing: "cannot keep the number")
    // The middle itself, with the digits that identify it, and the `Double` that a float converts to.
    #expect(try read("\"float\":0.10000000149011612")?.float == 0.1)
    #expect(try read("\"float\":1.5")?.float == 1.5)
  }

  @Test(arguments: ["1603074173027327.0e-400", "1e-400", "-0.1e-399"])
  func aNumberTooSmallIsRefused(number: String) {
    expectRefusal(of: json("\"double\":\(number)"), as: Root.self, .invalidValue, containing: "a Double cannot keep")
  }

  @Test func aNumberTooSmallForAFloatIsOutOfRange() throws {
    expectRefusal(of: json("\"float\":-1.08e-121"), as: Root.self, .invalidValue, containing: "out of range")
    #expect(try read("\"float\":1e-45")?.float == .leastNonzeroMagnitude)
  }

  @Test func zeroAndTheSmallestAreNumbers() {
    each(["0.0", "-0.0", "0e-400", "0.000e9", "5e-324"]) { (number: String) throws in
      #expect(try read("\"double\":\(number)")?.double?.bitPattern == Double(number)?.bitPattern)
    }
  }

  @Test(arguments: ["\u{85}", "\u{A0}", "\u{2028}"])
  func onlyWhiteSpaceOfXMLMayStandInData(space: String) throws {
    struct Blob: Record {
      let id: Int
      var data: Data
    }
    struct Blobs: Model {
      var blobs = Table<Blob>()
      static let schema = Schema<Blobs>("blobs", version: 1, Field("blobs", \.blobs))
    }
    var value = Blobs()
    try value.blobs.insert(Blob(id: 1, data: Data("some bytes".utf8)))
    let text = String(decoding: try SnapshotFile.encode(value, as: .xml), as: UTF8.self)
    func decode(_ space: String) throws -> Blobs {
      let bytes = Array(text.replacing("<data>", with: "<data>\(space)").utf8)
      return try SnapshotFile.decode(Blobs.self, from: bytes, options: ReadOptions(acceptsChecksumMismatch: true))
    }
    #expect(try decode("\n\t ").blobs[1]?.data == Data("some bytes".utf8))
    #expect(throws: SnapshotError.self) { try decode(space) }
  }
}
