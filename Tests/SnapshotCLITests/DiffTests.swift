import Foundation
import Testing

/// `snapshot-cli diff`: its output and its exit code.
@Suite struct DiffTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.makeStore()
  }

  private func copy(to name: String) throws {
    try FileManager.default.copyItem(at: cli.url("notes.json"), to: cli.url(name))
  }

  @Test func theSame() throws {
    try cli.run("convert", "notes.json", "notes.bplist")
    let result = try cli.run("diff", "notes.json", "notes.bplist")
    #expect(result.status == Exit.good)
    #expect(result.output == "the same\n")
    #expect(try cli.run("diff", "notes.json", "notes.bplist", "--json").output == "[]\n")
  }

  @Test func propertiesThatDiffer() throws {
    try copy(to: "old.json")
    try cli.run("archive", "1001", "--store", "notes.json")
    try cli.run("delete", "1002", "--store", "notes.json")
    let result = try cli.run("diff", "old.json", "notes.json")
    #expect(result.status == Exit.found)
    #expect(result.output.contains("~ notes 1001\n    archived: false → true\n"))
    #expect(result.output.contains("- notes 1002\n    id: 1002\n    text: \"Second\"\n"))
    #expect(result.output.hasSuffix("1 new, 1 gone, 1 changed\n"))
    #expect(result.error.isEmpty)
    let json = try cli.run("diff", "old.json", "notes.json", "--json")
    #expect(json.status == Exit.found)
    let records = try #require(try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [[String: Any]])
    #expect(records.map { $0["change"] as? String } == ["inserted", "updated", "removed"])
    #expect(records[1]["id"] as? Int == 1001)
  }

  @Test func trouble() throws {
    try cli.write("{", to: "broken.json")
    #expect(try cli.run("diff", "notes.json", "nothing.json").status == Exit.noInput)
    #expect(try cli.run("diff", "notes.json", "broken.json").status == Exit.badData)
    #expect(try cli.run("diff", "notes.json").status == Exit.usage)
    #expect(try cli.run("diff", "-", "-").status == Exit.usage)
    #expect(try cli.run("diff", "--git", "a", "b").status == Exit.usage)
  }

  // The arguments that git passes, and the exit code that it expects: always 0.
  @Test func asGitCallsIt() throws {
    try cli.write("", to: "empty.json")
    try cli.write("<<<<<<<", to: "broken.json")
    func git(_ old: String, _ new: String) throws -> CLI.Result {
      try cli.run("diff", "--git", "notes.json", old, "0123", "100644", new, "4567", "100644")
    }
    let new = try git("/dev/null", "notes.json")
    #expect(new.status == Exit.good)
    #expect(new.output.hasPrefix("snapshot-cli diff notes.json\n"))
    #expect(new.output.hasSuffix("\n6 new\n"))
    #expect(try git("notes.json", "empty.json").output.hasSuffix("\n6 gone\n"))
    let broken = try git("notes.json", "broken.json")
    #expect(broken.status == Exit.good)
    #expect(broken.output.contains("\ncannot be compared: broken.json"))
    try cli.write(cli.text("notes.json").replacing("\"notes\":[", with: "\"notes\": ["), to: "edited.json")
    #expect(try git("notes.json", "edited.json").output.contains("“snapshot-cli check edited.json --accept”"))
    #expect(try cli.run("diff", "--git", "notes.json").output == "snapshot-cli diff notes.json\nnot merged yet\n")
  }
}
