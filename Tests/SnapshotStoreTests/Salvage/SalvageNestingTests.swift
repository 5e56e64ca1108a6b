import Testing

@testable import SnapshotStore
@testable import TestSupport

/// What `SalvageNesting` knows of a value without reading it is what reading it finds; and it spares reading.
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
    each([SalvageGap.Form.json, .xml], SeededGenerator.seeds(40)) { (form: SalvageGap.Form, seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      let pieces = form == .json ? Self.json : Self.xml
      // Few of the pieces, so that they nest deeply and come again.
      let some = (0..<Int.random(in: 1...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      let text = (0..<200).map { _ in some.randomElement(using: &random) ?? "" }.joined()
      check(Array(text.utf8), form)
    }
  }

  @Test func beginningsAreReadOnce() {
    for (form, text) in [
      (SalvageGap.Form.json, "{\"a\":\n"), (.json, "[{\"a\":[],\"b\":"), (.xml, "<dict><key>a</key>\n"),
    ] {
      let bytes = Array(String(repeating: text, count: 500).utf8)
      #expect(check(bytes, form) < 4 * bytes.count)
    }
  }

  /// - Returns: how many bytes were read, in vain or not.
  @discardableResult private func check(_ bytes: [UInt8], _ form: SalvageGap.Form) -> Int {
    let limits = ReadLimits(depth: 20)
    let source = (form == .json ? FileFormat.json : .xml).parts.salvageSource(of: bytes)
    return bytes.withUnsafeBufferPointer { buffer in
      var nesting = SalvageNesting(buffer, form, limits)
      var work = 0
      for start in bytes.indices where isBeginning(bytes, start, form) {
        let known = nesting.error(at: start, depth: 3)
        let (error, end) = read(buffer, source, limits, form, start)
        if let known {
          // Where something is nested too deep, another rule may be broken before.
          #expect(
            error != nil && (known.code == .limitExceeded || known.description == error?.description),
            "\(start) of \(bytes)")
        } else {
          work += end - start
          if let error { nesting.fail(at: start, depth: 3, error, reach: end) }
        }
      }
      return work
    }
  }

  private func isBeginning(_ bytes: [UInt8], _ start: Int, _ form: SalvageGap.Form) -> Bool {
    switch form {
    case .json: bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[")
    case .xml: bytes[start...].starts(with: "<dict>".utf8) || bytes[start...].starts(with: "<array>".utf8)
    }
  }

  private func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ source: SourceText, _ limits: ReadLimits, _ form: SalvageGap.Form,
    _ start: Int
  ) -> (SnapshotError?, end: Int) {
    var json = JSONScanner(bytes, of: source, limits: limits)
    var xml = XMLParser(scanner: XMLScanner(bytes, of: source), limits: limits)
    (json.offset, xml.scanner.offset) = (start, start)
    do throws(SnapshotError) {
      _ = form == .json ? try json.value(depth: 3) : try xml.value(depth: 3)
      return (nil, form == .json ? json.offset : xml.scanner.offset)
    } catch {
      return (error, form == .json ? json.offset : xml.scanner.offset)
    }
  }
}
