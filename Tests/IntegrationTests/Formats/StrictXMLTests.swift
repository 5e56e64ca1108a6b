import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// XML property lists as Apple's tools and Python write them, and nothing that could expand, hide or be misread.
@Suite struct StrictXMLTests {
  static let header =
    "<key>snapshot</key><dict><key>schema</key><string>notebook</string><key>version</key><integer>1</integer></dict>"

  static func document(_ tables: String) -> String { "<plist version=\"1.0\"><dict>\(header)\(tables)</dict></plist>" }

  /// A document with one tag that has the given element as its last member.
  static func document(member: String, key: String = "nameModificationDate") -> String {
    let tag = "<dict><key>id</key><string>a</string><key>name</key><string>a</string><key>\(key)</key>\(member)</dict>"
    return document("<key>tags</key><array>\(tag)</array>")
  }

  @Test func theBeginningsOfOtherToolsAreRead() {
    each([
      "", "<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n",
      "<?xml version='1.0' encoding='utf-8'?>",
      "<!-- a --><!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">",
      "<!DOCTYPE plist PUBLIC \"-//Apple Computer//DTD PLIST 1.0//EN\"\n  \"x.dtd\" ><!-- b -->", "<!DOCTYPE plist>",
    ]) { (beginning: String) throws in
      let text = beginning + Self.document("<!-- c --><key>tags</key> <array > <!-- d --> </array > ") + "<!-- e -->\n"
      #expect(try SnapshotFile.decode(Notebook.self, from: Array(text.utf8)).tags.isEmpty)
    }
  }

  static let otherBeginnings: [(text: String, message: String)] = [
    ("<!DOCTYPE plist [<!ENTITY a \"b\">]>", "without declarations of its own"),
    ("<!DOCTYPE plist [\n<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">\n]>", "without declarations of its own"),
    ("<!DOCTYPE plist PUBLIC \"-//A//\" \"b\" [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>", "without declarations"),
    ("<!DOCTYPE plist SYSTEM \"file:///etc/passwd\">", "that of property lists"),
    ("<!DOCTYPE html>", "that of property lists"), ("<!DOCTYPE plist", "that of property lists"),
    ("<!DOCTYPE>", "that of"),
    ("<!ENTITY a \"b\">", "expected <plist"), ("<?xml-stylesheet href=\"x\"?>", "must state version 1.0"),
    ("<?xml version=\"1.1\"?>", "must state version 1.0"), ("<?xml version=\"1.0\"", "is not closed"),
    ("<?xml version=\"1.0\" encoding=\"UTF-16\"?>", "and UTF-8"), ("<?php echo 1 ?>", "expected <plist"),
    ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", "and UTF-8"), ("<!-- a", "the comment is not closed"),
    (" <?xml version=\"1.0\"?>", "expected <plist"), ("<html>", "expected <plist"), ("</plist>", "expected <plist"),
    ("<plist version=\"2.0\">", "expected <plist"), ("<plist a=\"b\">", "expected <plist"),
    ("<PLIST>", "expected <plist"),
  ]

  @Test func otherBeginningsAreRefused() {
    each(Self.otherBeginnings) { (beginning: String, message: String) in
      expectRefusal(of: beginning + Self.document(""), .malformed, containing: message)
    }
  }

  /// Faults within the root dictionary, and the expected error.
  static let brokenTables: [(tables: String, message: String)] = [
    ("x", "expected </dict>"), ("<key>tags</key>", "expected a value"),
    ("<key>tags</key><array>", "expected </array>"), ("<key>tags</key><array></dict>", "expected </array>"),
    ("<array/>", "expected <key>, found <array>"), ("<key>tags</key><array>x</array>", "expected a value"),
    ("<key a=\"b\">tags</key><array/>", "the tag"), ("<key>tags</key><array a=\"b\"/>", "the tag"),
    ("<key>tags</key>< array/>", "the tag"), ("<key>tags</key><array/ >", "the tag"),
    ("<key>tags<key><array/>", "expected </key>"), ("<key>ta<b/>gs</key><array/>", "expected </key>"),
    ("<key>ta", "expected </key>"), ("<key>tags</key><![CDATA[x]]>", "the tag"),
    ("<key>tags</key><array><![CDATA[ ]]></array>", "the tag"), ("<key>tags</key>&#60;array/>", "expected a value"),
  ]

  @Test func brokenTable() {
    each(Self.brokenTables) { (tables: String, message: String) in
      expectRefusal(of: Self.document(tables), .malformed, containing: message)
    }
  }

  /// Faults within a value.
  static let brokenMembers: [(member: String, message: String)] = [
    ("<set/>", "expected a value, found <set>"), ("<string>a", "expected </string>"),
    ("<string><string>a</string></string>", "expected </string>"),
    ("<key>a</key>", "<key>"), ("<string>a</String>", "expected </string>"),
    ("<STRING>a</STRING>", "expected a value, found <STRING>"),
    ("<string><![CDATA[a]]</string>", "CDATA section is not closed"),
    ("<string>&lol;</string>", "unknown entity"), ("<string>a & b</string>", "unknown entity"),
    ("<string>&AMP;</string>", "unknown entity"), ("<string>&amp</string>", "unknown entity"),
    ("<string>&#0;</string>", "character reference"), ("<string>&#;</string>", "reference"),
    ("<string>&#x0;</string>", "character reference"), ("<string>&#8;</string>", "reference"),
    ("<string>&#x1F;</string>", "reference"), ("<string>&#xD800;</string>", "reference"),
    ("<string>&#xFFFE;</string>", "reference"), ("<string>&#65535;</string>", "reference"),
    ("<string>&#x110000;</string>", "reference"), ("<string>&#A;</string>", "reference"),
    ("<string>&#-5;</string>", "reference"), ("<string>&#99999999999;</string>", "reference"),
    ("<string>&#X41;</string>", "reference"), ("<string>&#x 41;</string>", "reference"),
    ("<string>a\u{0}b</string>", "control character"), ("<string>\u{8}</string>", "control"),
    ("<string>\u{1F}</string>", "control character"), ("<string>\u{FFFE}</string>", "U+FFFE"),
    ("<string>\u{FFFF}</string>", "U+FFFF"), ("<string><![CDATA[\u{1}]]></string>", "control"),
  ]

  @Test func brokenMember() {
    each(Self.brokenMembers) { (member: String, message: String) in
      expectRefusal(of: Self.document(member: member), .malformed, containing: message)
    }
  }

  @Test func brokenEnds() {
    let document = Self.document("")
    for junk in ["x", "<plist/>", "\0", "<?a?>", "&amp;", "<![CDATA[]]>"] {
      expectRefusal(of: document + junk, .malformed, containing: "nothing may follow </plist>")
    }
    expectRefusal(of: document + "<!-- a", .malformed, containing: "the comment is not closed")
    expectRefusal(of: document.replacing("</plist>", with: ""), .malformed, containing: "expected </plist>")
    expectRefusal(of: document.replacing("</dict></plist>", with: ""), .malformed, containing: "<dict> is not closed")
  }

  @Test func badValues() {
    each([
      "<integer></integer>", "<integer/>", "<integer>a</integer>", "<integer>1.0</integer>", "<integer>0x</integer>",
      "<integer>1e3</integer>", "<integer>--1</integer>",
      "<integer>１</integer>",
      "<integer>1 2</integer>", "<integer>- 1</integer>", "<real></real>",
      "<real>a</real>", "<real>1e100000000000000000</real>", "<real>1,5</real>", "<real>0x1p3</real>",
      "<real>1 .5</real>",
      "<real>nan(0x1)</real>", "<real>1e</real>", "<real>.</real>", "<real>1e3.5</real>", "<date></date>",
      "<date>today</date>",
      "<date>2001-02-30T00:00:00Z</date>", "<date>2001-02-29T00:00:00Z</date>", "<date>2001-01-01</date>",
      "<date>2001-01-01T25:00:00Z</date>", "<date>2001- 01-01T00:00:00Z</date>", "<date>2001-01-01 T 00:00:00Z</date>",
      "<data>A</data>", "<data>AAA</data>", "<data>AAAAA</data>", "<data>====</data>", "<data>!!!!</data>",
      "<data>AB==</data>",
      "<data>AA=A</data>", "<true>x</true>", "<false>0</false>", "<true> </true>",
    ]) { (member: String) throws in
      let error = expectRefusal(of: Self.document(member: member), .invalidValue, containing: "or out of range")
      let before = try #require(Self.document(member: member).range(of: member)?.lowerBound)
      #expect(error?.position?.offset == before.utf16Offset(in: Self.document(member: member)))
    }
  }

  /// Foundation's decoder crashed on these bytes.
  @Test func anIntegerOfBytesThatAreNoTextIsRefused() {
    for count in [1, 7, 8, 9, 100] {
      let parts = Self.document(member: "<integer>|</integer>").split(separator: "|").map { Array($0.utf8) }
      let bytes = parts[0] + Array(repeating: 0xFF, count: count) + parts[1]
      let error = expectRefusal(of: bytes, .malformed, containing: "not valid UTF-8")
      #expect(error?.position?.offset == parts[0].count)
    }
  }

  @Test func duplicates() {
    let double = "<key>id</key><string>a</string>"
    expectRefusal(of: Self.document("<key>tags</key><array><dict>\(double)\(double)</dict></array>"), .duplicate)
    expectRefusal(of: Self.document("<key>tags</key><array/><key>t&#97;gs</key><array/>"), .duplicate)
    expectRefusal(of: Self.document(Self.header), .duplicate, containing: "“snapshot”")
  }

  @Test func theFormsOfOtherToolsAreRead() throws {
    let text = "a&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&#x9;<![CDATA[<&]]]>\r\nb\rc"
    let members = "<key>id</key><string>x</string><key>name</key><string>\(text)</string>"
    let date = "<key>nameModificationDate</key>\n<date>\n 2001-01-01T00:00:00Z\t</date>"
    let document = Self.document("<key>tags</key><array><dict>\(members)\(date)</dict></array>")
    let tag = try #require(try SnapshotFile.decode(Notebook.self, from: Array(document.utf8)).tags.first)
    #expect(tag.name == "a<>&\"'A😀\t<&]\nb\nc")
    #expect(tag.nameModificationDate == Date(timeIntervalSinceReferenceDate: 0))
  }

  @Test func aFaultHasItsPlace() {
    let text = Self.document("\n<key>tags</key>\n<array>\n\t<dict>\n\t\t<key>idd</key>\n</dict></array>")
    let error = expectRefusal(of: text, .malformed, containing: "expected a value")
    #expect(error?.position?.line == 6)
    #expect(error?.position?.column == 1)
    let unknown = text.replacing("</key>\n</dict>", with: "</key><true/>\n</dict>")
    let place = expectRefusal(of: unknown, .missingKey, at: "tags[0]")?.position
    #expect(place?.line == 4)
    #expect(place?.column == 2)
  }
}
