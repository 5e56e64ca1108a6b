import Testing

@testable import SnapshotCommands

/// The layout of help texts.
@Suite struct HelpTests {
  @Test func textFillsLines() {
    #expect(TextLayout.filled("a bb ccc dddd", first: "- ", indent: 2, width: 8) == "- a bb\n  ccc\n  dddd")
    #expect(TextLayout.filled("a\nverylongword b", indent: 0, width: 5) == "a\nverylongword\nb")
    #expect(TextLayout.entry("  -a", "one two", column: 8, width: 12) == "  -a    one\n        two")
    #expect(TextLayout.entry("  --long", "one two", column: 8, width: 16) == "  --long\n        one two")
    // Ideographs have two columns.
    #expect(TextLayout.filled("日本 日本", indent: 0, width: 8) == "日本\n日本")
  }

  @Test func examplesKeepTheirLines() {
    #expect(
      HelpBlock.of("One\ntwo:\n  a  b\n  c\nthree\n\n\n  d\n")
        == [.paragraph("One two:"), .lines(["  a  b", "  c"]), .paragraph("three"), .lines(["  d"])])
  }

  private struct Dye: StoreCommand {
    static let name = "dye"
    static let summary = "Dye wool"
    static let forms: [[Parameter]] = [
      [
        .store("FILE", "the store"), .operand("WOOL", .text, "what to dye").repeated,
        .option("--with", "PLANT", .words([Candidate("woad", "blue"), Candidate("madder")]), "the plant:").repeated,
        .flag("--hot", "in hot water").excluding("--cold"), .flag("--cold", "in cold water"),
      ],
      [
        .word("wash", "only wash WOOL"), .operand("WOOL", .text), .operand("SOAP", .text, "the soap").optional.repeated,
      ],
    ]
    static let discussion = "{tool} dyes:\n  {tool} dye a b"

    init(_ arguments: inout Arguments) throws {}
    func run() throws {}
  }

  @Test func theHelpComesFromTheParameters() {
    let tool = Tool(name: "wool", version: "", summary: "", notes: "", commands: [Dye.self])
    #expect(
      CommandHelp(command: Dye.self, tool: tool, width: 60).text == """
        Usage: wool dye [FILE] WOOL… [--with woad|madder]…
                        [--hot|--cold]
               wool dye wash WOOL [SOAP]…

        Dye wool.

          FILE          the store
          WOOL          what to dye
          --with        the plant:
                          woad    blue
                          madder
          --hot         in hot water
          --cold        in cold water
          wash WOOL     only wash WOOL
          SOAP          the soap
          --store FILE  the store, if its operand is left out; by
                        default that of $SNAPSHOT_STORE, which
                        counts only if there are too few operands

        wool dyes:
          wool dye a b
        """)
    for line in CommandHelp(command: Dye.self, tool: tool, width: 40).text.split(separator: "\n") {
      #expect(line.count <= 40, "\(line)")
    }
  }
}
