import Testing

@testable import SnapshotStore
@testable import TestSupport

/// UTF-8 is accepted exactly if the standard library accepts it.
@Suite struct UTF8CheckTests {
  @Test(arguments: SeededGenerator.seeds(3))
  func theStandardLibraryAgrees(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let heads: [UInt8] = [0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF]
    let others: [UInt8] = [0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF, 0x8F, 0x90, 0x9F, 0xA0]
    for _ in 0..<20_000 {
      // Text that contains a short run of likely and unlikely bytes.
      var bytes = Array(repeating: UInt8(0x61), count: Int.random(in: 0...20, using: &generator))
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        bytes.append((heads + others).randomElement(using: &generator) ?? 0)
      }
      bytes += Array("né€😀".utf8).prefix(Int.random(in: 0...10, using: &generator))
      let offset = UTF8Check.firstInvalidOffset(in: bytes)
      #expect((offset == nil) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
      if let offset { #expect(String(validating: bytes[..<offset], as: UTF8.self) != nil, "\(bytes) at \(offset)") }
    }
  }

  @Test func everySequenceOfTwoAndThreeBytesIsJudgedRight() {
    for first in UInt8(0x7F)...UInt8(0xFF) {
      for second in stride(from: 0, through: 0xFF, by: 0x0F).map({ UInt8($0) }) {
        for bytes in [[first, second], [first, second, 0x80], [first, second, 0x80, 0xBF], [first, second, 0x41]] {
          let isValid = UTF8Check.firstInvalidOffset(in: bytes) == nil
          #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
      }
    }
  }
}
