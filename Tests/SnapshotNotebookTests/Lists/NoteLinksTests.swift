import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Web addresses in texts, as a person sees them.
struct NoteLinksTests {
  @Test func withAScheme() {
    each([
      ("", []),
      ("no links", []),
      ("https://example.org", ["https://example.org"]),
      (
        "http://✪df.ws/1234 and (http://➡.ws/䨹), <https://a✪.example:80/x>.",
        ["http://✪df.ws/1234", "http://➡.ws/䨹", "https://a✪.example:80/x"]
      ),
      ("See http://a.example/x?y=1&z=2#t, and www.b.example.", ["http://a.example/x?y=1&z=2#t", "www.b.example"]),
      (
        "“https://d.example” *https://e.example* (www.f.example)!",
        ["https://d.example", "https://e.example", "www.f.example"]
      ),
      ("HTTPS://Example.ORG/Path", ["HTTPS://Example.ORG/Path"]),
      ("https://a.example\nhttps://a.example\thttps://b.example", ["https://a.example", "https://b.example"]),
      ("https://ann:secret@localhost:8080/x", ["https://ann:secret@localhost:8080/x"]),
      ("mailto:ann@example.org?subject=x, ann@example.org", ["mailto:ann@example.org?subject=x"]),
      ("view-source:https://a.example", ["https://a.example"]),
      ("https://example.com’s and https://example.com's", ["https://example.com"]),
    ]) { (text: String, links: [String]) in #expect(NoteLinks.links(in: text) == links)
    }
  }

  @Test func whereTheyEnd() {
    each([
      ("Really https://a.example/?!?…", ["https://a.example/"]),
      (
        "https://a.example/x; https://b.example/x: 'https://c.example/x'",
        ["https://a.example/x", "https://b.example/x", "https://c.example/x"]
      ),
      ("**https://a.example/b**, _https://c.example/d_", ["https://a.example/b", "https://c.example/d"]),
      ("https://en.wikipedia.org/wiki/Foo_(bar)", ["https://en.wikipedia.org/wiki/Foo_(bar)"]),
      ("(https://en.wikipedia.org/wiki/Foo_(bar)).", ["https://en.wikipedia.org/wiki/Foo_(bar)"]),
      ("(a https://a.example/x[1](2)b)c", ["https://a.example/x[1](2)b"]),
      ("[text](https://x.example/z)", ["https://x.example/z"]),
      ("[text](https://x.example/z \"Title\")", ["https://x.example/z"]),
      ("[`ack`](https://beyondgrep.com/) and <http://c.example>", ["https://beyondgrep.com/", "http://c.example"]),
      ("[https://a.example/b](https://a.example/b)", ["https://a.example/b"]),
      ("[1]: https://a.example/b", ["https://a.example/b"]),
      ("<a href=\"https://a.example/b\">x</a>", ["https://a.example/b"]),
      ("https://a.example/(", ["https://a.example/"]),
      ("https://ja.wikipedia.org/wiki/東京。次", ["https://ja.wikipedia.org/wiki/東京"]),
      ("見てhttps://example.comを見て", ["https://example.com"]),
      ("https://münchen.de/straße?ü=ö", ["https://münchen.de/straße?ü=ö"]),
    ]) { (text: String, links: [String]) in #expect(NoteLinks.links(in: text) == links)
    }
  }

  @Test func withoutAScheme() {
    each([
      ("example.com", ["example.com"]),
      (
        "See example.com/path?x=1, sub.example.co.uk, and Example.org.",
        ["example.com/path?x=1", "sub.example.co.uk", "Example.org"]
      ),
      (
        "(example.com) [example.net] “example.org” example.com:8080/x",
        ["example.com", "example.net", "example.org", "example.com:8080/x"]
      ),
      ("Is it example.com? No: example.de!", ["example.com", "example.de"]),
      ("bit.ly/x youtu.be/abc t.me/abc youtu.be", ["bit.ly/x", "youtu.be/abc", "t.me/abc"]),
      ("café.com, my-site.com, 東京example.com", ["café.com", "my-site.com", "example.com"]),
      ("example.com...and", ["example.com"]),
      ("example.com/a#b", ["example.com/a#b"]),
    ]) { (text: String, links: [String]) in #expect(NoteLinks.links(in: text) == links)
    }
  }

  /// Names with points that people do not take for addresses, and incomplete addresses.
  @Test func whatIsNoAddress() {
    each([
      "main.swift notes.txt README.md script.py run.sh lib.rs a.pl Mail.app photo.jpeg index.html data.json archive.tar.gz",
      "e.g. i.e. z.B. a.m. U.S. Ph.D. vs. etc. 1.2.3 v1.2 10.0.0.1 3.14 2023.de 1.000.de",
      "The end.It was late. He did this.it was good.Then.So what.No way.in time",
      "ASP.NET Node.js EXAMPLE.COM Example.Com",
      "ann@example.com ftp://example.com /etc/example.com C:\\example.com #example.com -example.com x_example.com",
      "array.map(x) example.io(x) com.example.app com.example.com:// example.com@host",
      "-.com a-.com .com com . .. ... example.example localhost",
      "http:// https:// x www. www... http://, https://. www.! http://( mailto: mailto:ann mailto:@example.com https:/x",
      "xhttps://a.example mywww.b.example éhttps://a.example",
    ]) { (text: String) in #expect(NoteLinks.links(in: text) == [])
    }
  }

  /// A megabyte of each takes milliseconds. Quadratic time would be hours.
  @Test func timeIsInProportionToTheLength() {
    each([
      "www.", "(", "https://", "https://a(", "a.", "a.-", "mailto:", "mailto:a+", "mailto:a.", "example.com", "a-",
      "http://a)", "@a", "é", "日", "a@",
      "https://a.b/.,", ".com", "[](", "www.a/(",
    ]) { (part: String) in
      let length = Proofs.pick(full: 300_000, quick: 50_000)
      let text = String(repeating: part, count: length / part.utf8.count)
      let links = NoteLinks.links(in: text)
      #expect(links.allSatisfy { text.contains($0.prefix(20)) })
    }
  }

  /// Any bytes of addresses in any order. The results are in the text, in order, each once, and are found again alone.
  @Test func whatIsFoundStandsInTheText() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      let parts = [
        "https://", "www.", "mailto:", "example", ".", "com", "/", "(", ")", "[", "]", " ", "@", "é", "日", "…", "-",
        "?",
        ",", "*", ":", "1", "\u{301}", "👩‍👩‍👧",
      ]
      for _ in 0..<2_000 {
        let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
          .joined()
        let links = NoteLinks.links(in: text)
        #expect(Set(links).count == links.count)
        for link in links {
          #expect(text.utf8.firstRange(of: link.utf8) != nil, "\(link) in \(text), seed \(seed)")
          #expect(NoteLinks.links(in: link) == [link], "\(text), seed \(seed)")
        }
      }
    }
  }
}
