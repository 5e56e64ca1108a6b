import Testing

@testable import SnapshotStore
@testable import TestSupport

/// `SalvageNesting` judges a value without reading it as reading it would, and so saves reads.
struct SalvageNestingTests {
  private static let json = [
    "{\"a\":", "[", "{\"a\":1,\"b\":", "]", "}", ",", "1", "\"x\"", "{\"a\":{},\"b\":[[", "\n", "\"",
    "{\"a\":1,\"a\":2}",
    "{\"k\":\"{[\\\"\",\"l\":",
  ]
  private static let xml = [
    "<dict><key>a</key>", "<array>", "<dict>", "</dict>", "</array>", "<integer>1</integer>", "<string>x</string>",
    "<key>b</key>", "<dict/>", "<array />", "<!-- <dict> -->", "<string><![CDATA[<dict>]]></string>", "\n", "<",
    "<dict><key>a</key><true/><key>a</key><true/></dict>",
  ]

  @Test func isWhatReadingFinds() {
    each(SeededGenerator.seeds(40)) { (seed: UInt64) in
      check(Self.text(of: Self.json, seed), JSONSalvage.self)
      check(Self.text(of: Self.xml, seed), XMLSalvage.self)
    }
  }

  /// Few of the pieces, so that they nest deeply and recur.
  private static func text(of pieces: [String], _ seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    let some = (0..<Int.random(in: 1...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
    return Array((0..<200).map { _ in some.randomElement(using: &random) ?? "" }.joined().utf8)
  }

  @Test func beginningsAreReadOnce() {
    let json = ["{\"a\":\n", "[{\"a\":[],\"b\":"].map { Array(String(repeating: $0, count: 500).utf8) }
    for bytes in json { #expect(check(bytes, JSONSalvage.self) < 4 * bytes.count) }
    let xml = Array(String(repeating: "<dict><key>a</key>\n", count: 500).utf8)
    #expect(check(xml, XMLSalvage.self) < 4 * xml.count)
  }

  /// - Returns: the number of bytes read, successfully or not.
  @discardableResult private func check<Grammar: SalvageGrammar>(_ bytes: [UInt8], _ type: Grammar.Type) -> Int {
    let limits = ReadLimits(depth: 20)
    let source = JSONFormat.salvageSource(of: bytes)
    return bytes.withUnsafeBufferPointer { buffer in
      var nesting = SalvageNesting<Grammar>(buffer, limits)
      var work = 0
      for start in bytes.indices where isBeginning(bytes, start) {
        let known = nesting.error(at: start, depth: 3)
        var grammar = Grammar(buffer, of: source, limits: limits)
        grammar.offset = start
        let error = failure { () throws(SnapshotError) in _ = try grammar.value(depth: 3) }
        if let known {
          // Where nesting is too deep, another rule may be broken before.
          #expect(
            error != nil && (known.code == .limitExceeded || known.description == error?.description),
            "\(start) of \(bytes)")
        } else {
          work += grammar.offset - start
          if let error { nesting.fail(at: start, depth: 3, error, reach: grammar.offset) }
        }
      }
      return work
    }
  }

  private func isBeginning(_ bytes: [UInt8], _ start: Int) -> Bool {
    ["{", "[", "<dict>", "<array>"].contains { bytes[start...].starts(with: $0.utf8) }
  }

  private func failure(_ read: () throws(SnapshotError) -> Void) -> SnapshotError? {
    do throws(SnapshotError) {
      try read()
      return nil
    } catch {
      return error
    }
  }
}
