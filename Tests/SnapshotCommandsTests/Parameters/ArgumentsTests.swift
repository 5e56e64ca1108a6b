import Testing

@testable import SnapshotCommands

/// The check of arguments against the parameters of a command.
@Suite struct ArgumentsTests {
  /// A command with every kind of parameter.
  private struct Paint: StoreCommand {
    static let name = "paint"
    static let summary = "Paint a wall"
    static let forms: [[Parameter]] = [
      [
        .store("FILE", "the store"), .operand("WALL", .text, "the wall"), .operand("COAT", .text, "a coat").repeated,
        .option("--colour", "COLOUR", .words([Candidate("red"), Candidate("blue")]), short: "c", "the colour"),
        .option("--layers", "N", .number(1...3), short: "n", "how many").excluding("--thin"),
        .option("--note", "TEXT", .text, "a note").repeated, .flag("--thin", "one layer"),
      ],
      [.word("strip", "remove all"), .operand("WALL", .text), .operand("TOOL", .text, "what with").optional, .store],
      [.flag("--list", "list the colours").required],
    ]

    init(_ arguments: inout Arguments) throws {}
    func run() throws {}
  }

  private static var tool: Tool { Tool(name: "wall", version: "", summary: "", notes: "", commands: [Paint.self]) }

  private func read(_ text: String, store: String? = nil) throws -> Arguments {
    try Arguments(
      text.split(separator: " ").map(String.init), command: Paint.self, tool: Self.tool,
      environment: store.map { [StorePath.variable: $0] } ?? [:])
  }

  private func message(_ text: String, store: String? = nil) -> String {
    do {
      _ = try read(text, store: store)
      return "no error"
    } catch {
      return (error as? CommandFailure)?.message ?? "\(error)"
    }
  }

  @Test func optionsStandAnywhere() throws {
    for text in [
      "-c red a.json w --note=x one --note y two", "a.json w one two --colour=red --note x --note y",
      "-cred --note x --note y -- a.json w one two",
    ] {
      var arguments = try read(text)
      #expect(arguments.option("--colour") == "red" && arguments.options("--note") == ["x", "y"], "\(text)")
      #expect(arguments.operand("FILE") == "a.json" && arguments.operand("WALL") == "w", "\(text)")
      #expect(arguments.operands("COAT") == ["one", "two"] && arguments.word() == nil, "\(text)")
      #expect(arguments.number("--layers") == nil && !arguments.flag("--thin") && !arguments.flag("--list"))
      #expect(arguments.untaken == [])
    }
    // A mark that combines with the character before it is a part of the value.
    var marked = try read("a.json w one --note=\u{301}x --colour red")
    #expect(marked.options("--note") == ["\u{301}x"])
    var number = try read("a.json w -n3 - -- -x")
    #expect(number.number("--layers") == 3 && number.operands("COAT") == ["-", "-x"])
    #expect(number.untaken == ["FILE", "WALL"])
  }

  /// The store comes from an operand, from the option, or from the environment if an operand is missing.
  @Test func theStoreHasThreeSources() throws {
    func parts(_ text: String, store: String? = nil) throws -> [String] {
      var arguments = try read(text, store: store)
      return [try arguments.store(), arguments.operand("WALL")] + arguments.operands("COAT")
    }
    #expect(try parts("a.json w one", store: "e.json") == ["a.json", "w", "one"])
    #expect(try parts("w one", store: "e.json") == ["e.json", "w", "one"])
    #expect(try parts("w one two --store o.json") == ["o.json", "w", "one", "two"])
    #expect(try parts("w one two --store o.json", store: "e.json") == ["o.json", "w", "one", "two"])
    #expect(try parts("w one two", store: "e.json") == ["w", "one", "two"])
    #expect(try parts("strip w", store: "e.json") == ["e.json", "w"])
    #expect(try parts("strip w --store o.json", store: "e.json") == ["o.json", "w"])
    #expect(message("w one", store: "").contains("COAT is missing, or FILE, which --store or SNAPSHOT_STORE may name"))
    #expect(message("strip") == "paint: WALL is missing; see “wall paint --help”")
    var strip = try read("strip w knife")
    #expect(throws: CommandFailure.self) { try strip.store() }
    #expect(strip.word() == "strip" && strip.optionalOperand("TOOL") == "knife")
  }

  @Test(arguments: [
    ("a w one --colou red", "unknown option “--colou”; did you mean “--colour”?"),
    ("a w one -x", "unknown option “-x”; if it is no option, put -- before it"),
    ("a w one --colour", "--colour needs a value"), ("a w one --colour --thin", "--colour needs a value"),
    ("a w one --thin=1", "--thin has no value"), ("a w one -c red -c blue", "--colour may be given once only"),
    ("a w one -c rad", "--colour: “rad” is not one of red, blue; did you mean “red”?"),
    ("a w one -n 4", "--layers needs a whole number from 1 to 3"),
    ("a w one -n x", "--layers needs a whole number from 1 to 3"),
    ("a w one -n 2 --thin", "--layers and --thin exclude each other"),
    ("strip w --thin", "--thin does not go with strip"),
    ("--list --thin", "--thin does not go with these operands"),
    ("--list a", "“a” is one argument too many"), ("", "FILE is missing"),
  ])
  func wrongUseIsTold(text: String, expected: String) { #expect(message(text).contains(expected), "\(message(text))") }

  /// The name of a form counts even if a file has the same name, and a form that fits counts more.
  @Test func aWordChoosesTheForm() throws {
    var store = try read("strip w one two")
    #expect(store.operand("FILE") == "strip" && store.word() == nil)
  }

  @Test func optionsStandBeforeTheCommand() {
    let arguments = ["--store", "a.json", "--thin", "-c", "red", "--note=x", "paint", "w", "--thin"]
    let (name, rest) = Self.tool.split(arguments)
    #expect(name == "paint" && rest == ["--store", "a.json", "--thin", "-c", "red", "--note=x", "w", "--thin"])
    #expect(Self.tool.split(["--thin"]).name == nil && Self.tool.split(["--store", "paint"]).name == nil)
  }
}
