import Testing

@testable import SnapshotStore

/// Files in formats that people take for those of the library are named for what they are.
struct ForeignFormatTests {
  @Test(
    arguments: [
      ([0x1F, 0x8B, 8, 0], "gzip"), ([0x50, 0x4B, 3, 4], "ZIP"), (Array("SQLite format 3\0".utf8), "SQLite"),
      (Array("{ name = \"Ann\"; }".utf8), "OpenStep"), (Array("\n{\n  \"first name\" = Ann;\n}".utf8), "OpenStep"),
      (
        Array(
          "<plist version=\"1.0\"><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$objects</key><array/></dict></plist>"
            .utf8), "NSKeyedArchiver"
      ),
    ] as [([UInt8], String)])
  func theirNames(_ bytes: [UInt8], _ name: String) throws {
    let error = #expect(throws: SnapshotError.self) {
      try SnapshotFile.decodeContent(UntypedModel.self, from: bytes)
    }
    #expect(error?.message.contains(name) == true && error?.advice != nil, "\(String(describing: error))")
  }

  @Test(arguments: ["{\"a=b\":1}", "{}", "{a", "{ \"a\" : \"=\" }", "{", ""])
  func otherTextIsNoOpenStep(_ text: String) {
    #expect(!ForeignFormat.openStep.recognizes(Array(text.utf8)))
  }
}
