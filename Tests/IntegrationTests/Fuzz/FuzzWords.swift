import Foundation

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// The words that mutations insert in place of others.
extension SeededGenerator {
  static let numberTexts = [
    "0", "-0", "1", "1.0", "-1.0", "1e0", "1E+2", "1.5e-3", "00", "01", "-", "+1", ".5", "1.", "1.e1", "1e", "1e+",
    "1e400", "-1e400", "1e-400", "255", "256", "-128", "-129", "65536", "4294967295", "4294967296",
    "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "340282366920938463463374607431768211456", "0.1000000000000000055511151231257827",
    "123456789012345678901234567890e-10", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
    "2.2250738585072011e-308", "1.7976931348623157e308", "1.7976931348623159e308", "179769313486231580793e289",
    "3.4028235e38", "3.4028236e38", "1.401298464324817e-45", "16777217", "16777217.0", "1.00000017881393432617187499",
    "9007199254740993", "9007199254740993.0", "0.30000000000000004", "NaN", "Infinity", "-Infinity", "nan", "inf",
    "0x10",
    "1_000", "1e0000000000000000000001", "0.000000000000000000000000000000000000000000000000000000000000001e63",
    "-63113904000", "-63113904000.5", "-63113904001", "252423993599.9", "252423993600", "1e15", "5e-324",
  ]

  static let dateTexts = [
    "2001-01-01T00:00:00Z", "2001-02-29T00:00:00Z", "2000-02-29T23:59:59Z", "1900-02-29T00:00:00Z",
    "0000-12-31T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.9999999999999Z",
    "9999-12-31T23:59:59-23:59", "10000-01-01T00:00:00Z", "1582-10-10T00:00:00Z", "2016-12-31T23:59:60Z",
    "2001-01-01T24:00:00Z", "2001-01-01T00:00:00", "2001-01-01", "2001-01-01T00:00Z", "2001-1-1T00:00:00Z",
    "2001-01-01 00:00:00Z", "2001-01-01t00:00:00z", "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00,5Z",
    "2001-01-01T00:00:00.5Z", "2000-12-31T23:59:59.5Z", "2000-12-31T23:59:59.99999999999999999999999999999Z",
    "1999-01-01T00:00:00.123456789012345678901234567890Z", "2014-06-12T05:07:04.000000000000000000000001Z", "NaN",
    "Infinity", "-Infinity", "NaN(0x7ff8000000000001)", "NaN(0x7ff0000000000000)", "NaN(0xfff)", "NaN()", "", " ",
    "2001-01-01T00:00:00Z\\n", "+001-01-01T00:00:00Z",
  ]

  static let jsonTextPieces = [
    #"\""#, #"\\"#, #"\/"#, #"\b\f\n\r\t"#, #"\u0041"#, #"\u00e9"#, #"\u00E9"#, #"\ud83d\ude00"#, #"\uD83D\uDE00"#,
    #"\ud800"#, #"\udc00\ud800"#, #"\ud83d\u0041"#, #"\ud83dx"#, #"\u00"#, #"\u"#, #"\u00g0"#, #"\x41"#, #"\'"#, #"\0"#,
    #"\u0000"#, #"\u001f"#, #"\ufffe"#, #"\uffff"#, #"\U0041"#, #"\"#, "\"", "\u{7F}", "\t", "\n", "\0", "\u{1F}", "'",
    "é",
    "😀", "\u{2028}", #"\u2028"#, #"\u+123"#, #"\u 123"#, #"\u１２３４"#, #"\ud83d\n"#, #"\ud83d\u"#, #"\u00e9\u0301"#,
  ]

  static let xmlTextPieces = [
    "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&", "&;", "&#65;", "&#x41;", "&#X41;", "&#x1F600;", "&#xD800;",
    "&#0;",
    "&#1;", "&#13;", "&#x0D;", "&#10;", "&#xFFFE;", "&#xFFFF;", "&#x110000;", "&#99999999999;", "&#;", "&#x;", "&#65",
    "&#+65;", "&#x 41;", "&nbsp;", "&lol;", "&AMP;", "<![CDATA[a<b&c]]>", "<![CDATA[]]>", "<![CDATA[]]]]>", "<![CDATA[",
    "]]>", "<!-- c -->", "<!---->", "<!-- a -- b -->", "<!--", "<b/>", "<b>", "</b>", "<", ">", "\"", "'", "\r", "\r\n",
    "\t", "\n", "\0", "\u{1}", "\u{B}", "\u{7F}", "\u{85}", "\u{2028}", "\u{FFFE}", "\u{FFFF}", "é", "😀", "$null",
    "$$null",
    "<?pi x?>", "  ", " $null", "0", "1", "-", "+", ".", "e", "=", "&#000000000000065;", "&#x000000041;",
  ]

  static let jsonFiller = [
    " ", "\n", "\r\n", "\t", "  \n\t ", ",", ",,", "/* c */", "// c\n", "#c\n", "\u{FEFF}", "\u{A0}", "\u{B}", "\u{C}",
    "\0",
    "\u{2028}", "null", "}", "]", "{", "[", ":", "\"\"", ";", "{}", "[]", "\u{85}", "0", "{\"snapshot\":1}",
  ]

  static let xmlFiller = [
    " ", "\n", "\r\n", "\t", "<!-- c -->", "<!---->", "<!-- <dict> & -->", "<!-- a -- b -->", "<!-->", "<!--->", "text",
    "&amp;",
    "&#32;", "<![CDATA[ ]]>", "<![CDATA[]]>", "<?pi?>", "<?xml version=\"1.0\"?>", "\u{FEFF}", "\u{A0}", "\0",
    "<key>x</key>",
    "<string/>", "</dict>", "<dict>", "</plist>", "</array>", "<!DOCTYPE plist>", "<", ">", "/", "<null/>",
    "<integer>1</integer>",
  ]

  mutating func jsonValueText() -> String {
    switch Int.random(in: 0..<8, using: &self) {
    case 0, 1: return pick(Self.numberTexts)
    case 2: return "\"" + pick(Self.dateTexts) + "\""
    case 3: return "\"" + pick(Self.jsonTextPieces) + "\""
    case 4: return "\(chance(2) ? double() : dateSeconds())"
    case 5: return "\(chance(2) ? integer(Int64.self) : Int64(integer(UInt8.self)))"
    case 6: return "\"" + pick(Self.numberTexts) + "\""
    default:
      return pick([
        "null", "true", "false", "NULL", "True", "tru", "nul", "nulll", "undefined", "{}", "[]", "[[]]", "[null]",
        "[1,2]", "[\"a\"]", "{\"a\":1}", "{\"\":null}", "\"\"", "'a'", "\"a", "a", "[1,]", "{\"a\":1,}", "[,1]", "{,}",
        "\"AA==\"", "\"AAA=\"", "\"AB==\"", "\"A===\"", "\"AA\"", "\"AA==\\n\"", "\"\\u0041A==\"", "\"A A==\"",
        "[[1],[2,3]]",
        "{\"nothing\":{}}", "{\"square\":{\"_0\":3}}", "{\"nothing\":{},\"square\":{\"_0\":3}}",
        "{\"sized\":{\"width\":1}}",
        "{\"sized\":{\"width\":1,\"height\":null}}", "{\"nothing\":{\"x\":1}}", "\"red\"", "\"Red\"", "-1",
        "\"https://example.org/\"", "\"a b\"", "\"\\u00e9\"", "{\"relative\":\"a\"}",
        "\"00010203-0405-0607-0809-0a0b0c0d0e0f\"", "\"00010203\"",
      ])
    }
  }

  mutating func xmlValueText() -> String {
    switch Int.random(in: 0..<8, using: &self) {
    case 0: return "<integer>\(pick(Self.numberTexts))</integer>"
    case 1: return "<real>\(pick(Self.numberTexts))</real>"
    case 2: return "<date>\(pick(Self.dateTexts))</date>"
    case 3: return "<string>\(pick(chance(2) ? Self.xmlTextPieces : Self.dateTexts))</string>"
    case 4: return "<real>\(chance(2) ? double() : dateSeconds())</real>"
    case 5: return "<integer>\(chance(2) ? integer(Int64.self) : Int64(integer(UInt8.self)))</integer>"
    case 6:
      return
        "<data>\(pick(["", "AA==", "AAA=", "AB==", "A", "AA", "A A = =", "AA==AA==", "====", "AA\n==\n", "é", "<!---->"]))</data>"
    default:
      return pick([
        "<true/>", "<false/>", "<true></true>", "<true>x</true>", "<true> </true>", "<True/>", "<null/>", "<string/>",
        "<string></string>", "<string>$null</string>", "<array/>", "<dict/>", "<array></array>", "<dict></dict>",
        "<array> </array>", "<dict>a</dict>", "<array>a</array>", "<set/>", "<integer/>", "<real/>", "<date/>",
        "<data/>",
        "<key>a</key>", "<integer> 1 </integer>", "<integer>0x1F</integer>", "<integer>+5</integer>",
        "<integer>-0x1</integer>",
        "<real>1.5 </real>", "<real>+infinity</real>", "<real>-inf</real>", "<real>nan</real>", "<string >a</string >",
        "<string a=\"b\">c</string>", "<string\n>a</string\n>", "< string>a</string>", "<string>a</ string>",
        "<string>a</String>",
        "<String>a</String>", "<string>a", "<array><string>a</string>", "<dict><key>a</key></dict>",
        "<dict><string>a</string></dict>", "<array><key>a</key></array>", "<integer>1<!-- c -->2</integer>",
        "<integer><![CDATA[1]]></integer>", "<date><!-- c -->2001-01-01T00:00:00Z</date>",
        "<data>AA<!-- c -->==</data>",
        "<string>a<!-- c -->b</string>", "<integer>&#49;</integer>", "<true/ >", "<true / >",
        "<dict><key/><true/></dict>",
        "<array><integer>1</integer><integer>2</integer></array>", "<dict><key>CF$UID</key><integer>1</integer></dict>",
      ])
    }
  }

  /// Changes around the values: declaration, document type, root element and tags.
  mutating func xmlProseEdit(_ bytes: [UInt8]) -> Edit {
    let text = String(decoding: bytes.prefix(300), as: UTF8.self)
    func range(_ start: String, _ end: String) -> Range<Int>? {
      guard let from = text.range(of: start), let to = text.range(of: end, range: from.upperBound..<text.endIndex)
      else {
        return nil
      }
      return text.utf8.distance(
        from: text.startIndex, to: from.lowerBound)..<text.utf8.distance(
          from: text.startIndex, to: to.upperBound)
    }
    if chance(3), let declaration = range("<?xml", "?>") {
      return Edit(
        declaration,
        pick([
          "", "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='utf-8'?>", "<?xml version=\"1.1\"?>",
          "<?xml version=\"1.0\" encoding=\"UTF-16\"?>", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", "<?xml?>",
          "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>",
          "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>",
          " <?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"x\"?>", "<?xml", "<!-- c -->", "\u{FEFF}",
        ]))
    }
    if chance(2), let type = range("<!DOCTYPE", ">") {
      return Edit(
        type,
        pick([
          "", "<!DOCTYPE plist>", "<!DOCTYPE plist SYSTEM \"a\">", "<!DOCTYPE plist [<!ENTITY a \"b\">]>",
          "<!DOCTYPE plist []>",
          "<!DOCTYPE html>", "<!DOCTYPE>", "<!DOCTYPE plist PUBLIC \"x\" \"y\">", "<!doctype plist>", "<!DOCTYPE plist",
          "<!DOCTYPE plist PUBLIC \"a>b\" \"c\">", "<!DOCTYPE plist><!DOCTYPE plist>", "<!-- c -->",
        ]))
    }
    guard let root = range("<plist", ">") else { return byteEdit(bytes) }
    return Edit(
      root,
      pick([
        "<plist>", "<plist version='1.0'>", "<plist version=\"1.1\">", "<plist  version=\"1.0\">",
        "<plist version=\"1.0\" >", "<Plist>",
        "<plist/>", "", "<plist a=\"b\" version=\"1.0\">", "<plist version=1.0>", "<plist><plist>", "<dict>",
      ]))
  }
}
