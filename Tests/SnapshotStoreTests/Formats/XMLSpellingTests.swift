import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Property lists of other writers: what is valid XML, and no store has written.
@Suite struct XMLSpellingTests {
  private static func value(_ body: String, _ declaration: String = "") throws -> UntypedValue {
    try UntypedDocument(reading: Array("\(declaration)<plist version=\"1.0\">\(body)</plist>".utf8)).root
  }

  @Test func declarations() {
    each([
      "", "<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>",
      "<?xml version='1.0' standalone='yes'?>", "<?xml  version = \"1.0\" standalone\n=\n'no'?>",
      "<?xml version=\"1.0\"\n  encoding=\"us-ascii\"\tstandalone=\"yes\" ?>",
    ]) { (declaration: String) throws in
      #expect(try Self.value("<array><true/></array>", declaration).array?.first?.bool == true)
    }
    each([
      "<?xml version=\"1.1\"?>", "<?xml encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
      "<?xml version=\"1.0\" standalone=\"no\" encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" standalone=\"maybe\"?>",
      "<?xml version=\"1.0\" encoding=\"UTF-8\" encoding=\"UTF-8\"?>", "<?xmlversion=\"1.0\"?>", "<?xml?>",
    ]) { (declaration: String) in
      let error = #expect(throws: SnapshotError.self) { try Self.value("<array/>", declaration) }
      #expect(error?.message.contains("the XML declaration must") == true)
    }
  }

  /// A comment may stand anywhere in a text. It is no part of it.
  @Test func commentsInTexts() throws {
    let record = try #require(
      try Self.value(
        """
        <dict><key>a<!-- the key -->b</key><string><!-- x -->one<!-- <b>&amp; --> two<!----></string>
        <key>c</key><integer><!-- 1 -->12<!-- 3 --></integer><key>d</key><real>1<!-- -->.5</real>
        <key>e</key><data>AA<!-- -->EC</data><key>f</key><string><![CDATA[<!-- no comment -->]]></string></dict>
        """
      ).record)
    #expect(record["ab"]?.text == "one two")
    #expect(record["c"]?.integer == 12 && record["d"]?.number == 1.5 && record["e"]?.data == [0, 1, 2])
    #expect(record["f"]?.text == "<!-- no comment -->")
    let error = #expect(throws: SnapshotError.self) { try Self.value("<array><string>a<!-- b</string></array>") }
    #expect(error?.message == "the comment is not closed" && error?.position?.column == 38)
  }
}
