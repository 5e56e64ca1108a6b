import Foundation
import Testing

/// The drivers for git, on a file of a model that the tool does not know.
@Suite(.enabled(if: GitRepository.isThere)) struct OtherModelGitTests {
  private let repository: GitRepository
  private var cli: CLI { repository.cli }

  init() throws {
    repository = try GitRepository()
    try cli.write(
      try cli.text(".gitattributes") + "shop.json -text diff=snapshot merge=snapshot\n", to: ".gitattributes")
    try save(
      """
      {"snapshot":{"schema":"shop","version":7},
      "people":[
      {"id":1,"name":"Ada","tags":["a"]},
      {"id":2,"name":"Bo","tags":[]}
      ]}
      """)
    try repository.git("add", "shop.json", ".gitattributes")
    try repository.git("commit", "--quiet", "--message", "The shop")
  }

  private func save(_ text: String) throws {
    try cli.write(text, to: "shop.json")
    #expect(try cli.run("check", "shop.json", "--accept").status == Exit.good)
  }

  private func onBranch(_ name: String, _ replacements: [(String, String)]) throws {
    try repository.git("checkout", "--quiet", "-b", name, "main")
    try save(replacements.reduce(try cli.text("shop.json")) { $0.replacing($1.0, with: $1.1) })
    try repository.git("commit", "--quiet", "--all", "--message", name)
    try repository.git("checkout", "--quiet", "main")
  }

  @Test func differentPropertiesMergeByThemselves() throws {
    try onBranch("ours", [("Bo", "Bob")])
    try onBranch("theirs", [("Ada", "Ada L."), ("\"tags\":[]", "\"tags\":[\"b\"]")])
    try repository.git("merge", "--quiet", "--message", "1", "ours")
    let output = try repository.git("merge", "--message", "2", "theirs")
    #expect(!output.contains("CONFLICT"))
    #expect(
      try cli.text("shop.json").hasSuffix(
        """
        "schema":"shop","version":7},
        "people":[
        {"id":1,"name":"Ada L.","tags":["a"]},
        {"id":2,"name":"Bob","tags":["b"]}
        ]}

        """))
    #expect(try cli.run("check", "shop.json").status == Exit.good)
    try repository.requireNothingLeftBehind()
  }

  @Test func aConflictStopsGitAndKeepsOurs() throws {
    try onBranch("ours", [("Bo", "Bob")])
    try onBranch("theirs", [("Bo", "Bert"), ("Ada", "Ada L.")])
    try repository.git("merge", "--quiet", "--message", "1", "ours")
    let output = try repository.git("merge", "--message", "2", "theirs", failing: true)
    #expect(output.contains("CONFLICT"))
    #expect(output.contains("! people 2, name"))
    let text = try cli.text("shop.json")
    #expect(text.contains("\"Bob\"") && text.contains("\"Ada L.\"") && !text.contains("Bert"))
    #expect(try cli.run("check", "shop.json").status == Exit.good)
  }

  @Test func theDifferenceIsShownByRecords() throws {
    try onBranch("ours", [("Bo", "Bob")])
    let output = try repository.git("diff", "main", "ours")
    #expect(output.contains("~ people 2\n    name: \"Bo\" → \"Bob\""))
  }

  /// A branch of another version of the program has other types. Merging without them would be a guess.
  @Test func anotherVersionOfTheSchemaIsNotMerged() throws {
    try onBranch("ours", [("Bo", "Bob")])
    try onBranch("theirs", [("\"version\":7", "\"version\":8")])
    try repository.git("merge", "--quiet", "--message", "1", "ours")
    let before = try cli.text("shop.json")
    let output = try repository.git("merge", "--message", "2", "theirs", failing: true)
    #expect(output.contains("version 8"))
    #expect(try cli.text("shop.json") == before)
  }
}
