import Foundation
import SnapshotStore
import Testing

@testable import TestSupport

/// `set --value`: the single values of a file, such as the properties of a store of one value.
@Suite struct SetValueTests {
  private struct Preferences: Codable, Equatable, Sendable {
    struct Window: Codable, Equatable, Sendable { var (width, height) = (800, 600) }

    var fontSize = 12
    var theme = "dark"
    var window = Window()
    var recent = ["a"]
    var opened: Date?
  }

  private let cli: CLI

  init() throws {
    cli = try CLI()
    let store = try Store.value(Preferences(), at: cli.url("prefs.json"))
    try store.closeAndWait()
  }

  private func preferences() throws -> Preferences {
    let store = try Store.value(Preferences(), at: cli.url("prefs.json"))
    defer { try? store.closeAndWait() }
    return store.value
  }

  @Test func propertiesOfAValueAreChanged() throws {
    let set = try cli.run(
      "set", "prefs.json", "--value", "fontSize=13", "--value", "window.width=1024", "--value", "recent[1]=b")
    #expect(set.status == Exit.good && set.output == "changed 3 values\n", "\(set.error)")
    var expected = Preferences()
    (expected.fontSize, expected.window.width, expected.recent) = (13, 1024, ["a", "b"])
    #expect(try preferences() == expected)
    #expect(try cli.run("get", "prefs.json", "--value", "fontSize").output == "13\n")
    #expect(try cli.run("check", "prefs.json").status == Exit.good)
    let kept = try #require(SnapshotFile.generations(of: cli.url("prefs.json")).first)
    #expect(try Data(contentsOf: kept.url).contains(Data(#""fontSize":12"#.utf8)))
  }

  @Test func aSetWithoutAnEffectWritesNothing() throws {
    let before = try cli.bytes("prefs.json")
    #expect(try cli.run("set", "prefs.json", "--value", "theme=dark").output == "nothing changed\n")
    #expect(try cli.bytes("prefs.json") == before)
  }

  @Test(arguments: [
    (["fontSize=big"], "“fontSize” is an integer, and \"big\" is text"),
    (["fontsize=13"], "did you mean “fontSize”?"),
    (["window.depth=1"], "there is no “window.depth”; --force"),
    (["recent[7]=x"], "there is no place for “recent[7]”"), (["recent[7]=5"], "there is no place for “recent[7]”"),
    (["fontSize"], "expected “=” and a value"),
    (["fontSize=13", "theme=7"], "“theme” is text, and 7 is an integer"),
  ])
  func whatDoesNotFitIsRefused(_ assignments: [String], _ message: String) throws {
    let before = try cli.bytes("prefs.json")
    let set = try cli.run(["set", "prefs.json"] + assignments.flatMap { ["--value", $0] })
    #expect(set.status != Exit.good && set.error.contains(message), "\(set.error)")
    #expect(try cli.bytes("prefs.json") == before)
  }

  @Test func anElementHasTheKindOfWhatIsThere() throws {
    try cli.write(
      #"{"snapshot":{"schema":"s","version":1},"v":{"mixed":["a",3],"empty":[],"some":[null,5]}}"#, to: "v.json")
    for (assignment, kind) in [("some[0]=abc", "an integer"), ("mixed[2]=true", "text or an integer")] {
      let error = try cli.run("set", "v.json", "--value", "v.\(assignment)").error
      #expect(error.contains("is \(kind), and"), "\(error)")
    }
    let set = try cli.run(
      "set", "v.json", "--value", "v.mixed[1]=5", "--value", "v.empty[0]=a", "--value", "v.some[0]=6")
    #expect(set.status == Exit.good, "\(set.error)")
    #expect(
      try cli.run("get", "v.json", "--value", "v").output == #"{"mixed":["a",5],"empty":["a"],"some":[6,5]}"# + "\n")
    #expect(try cli.run("set", "v.json", "--value", "v.some[1]=abc").error.contains("“v.some[1]” is an integer"))
  }

  @Test func whatNoValueHasIsForced() throws {
    let set = try cli.run("set", "prefs.json", "--value", "opened=2026-01-02T03:04:05Z", "--force")
    #expect(set.output == "changed 1 value\n", "\(set.error)")
    #expect(try preferences().opened == Date(timeIntervalSince1970: 1_767_323_045))
  }

  @Test func aTableIsNoSingleValue() throws {
    try cli.write(#"{"snapshot":{"schema":"shop","version":1},"articles":[{"id":1}],"note":"n"}"#, to: "shop.json")
    for options in [[], ["--force"]] {
      let set = try cli.run(["set", "shop.json", "--value", "articles=[]"] + options)
      #expect(set.status == Exit.noInput && set.error.contains("“articles” is a table"), "\(set.error)")
    }
  }

  @Test func theyAreNoRows() throws {
    let rows = try cli.run("rows", "prefs.json", "fontSize")
    #expect(rows.status == Exit.noInput && rows.error.contains("get … --value fontSize” prints it"), "\(rows.error)")
  }

  @Test func itsValuesAreCompleted() throws {
    let complete = try cli.run("complete", "zsh", "set", "prefs.json", "--value", "fo")
    #expect(complete.output.contains("fontSize="), "\(complete)")
  }
}
