import Foundation
import SnapshotStore
import Testing

@testable import TestSupport

/// Pipes that have names, as a shell gives them.
@Suite struct PipeTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.write(#"{"snapshot":{"schema":"t","version":1},"p":[{"id":1}]}"# + "\n", to: "s.json")
  }

  @Test(arguments: [
    ("rows <(cat s.json) p", "id\n 1\n"), ("diff <(cat s.json) s.json", "the same\n"),
    ("diff <(cat s.json) <(cat s.json)", "the same\n"), ("rows /dev/stdin p < s.json", "id\n 1\n"),
    ("rows /dev/stdin p < <(cat s.json)", "id\n 1\n"), ("get <(cat s.json) p 1", "{\"id\":1}\n"),
    ("import ndjson <(echo '{\"text\":\"x\"}') n.json", "added 1 note, 0 tags, 0 attachments\n"),
    ("restore <(cat s.json) n.json", "restored n.json: p 1\n"),
  ])
  func aPipeIsRead(_ line: String, _ output: String) throws {
    let result = try cli.shell("snapshot-cli \(line)")
    #expect(result.status == 0 && result.output == output, "\(line): \(result)")
  }

  @Test func checkAndInfoReadOnce() throws {
    for (command, text) in [("check", "ok, p 1"), ("info", "p         1 record"), ("tables", "p")] {
      let result = try cli.shell("snapshot-cli \(command) <(cat s.json)")
      #expect(result.status == 0 && result.output.contains(text), "\(result)")
    }
  }

  @Test(arguments: [
    "snapshot-cli dump s.json -o /dev/stdout | cat", "snapshot-cli dump s.json -o /dev/stdout > out; cat out",
    "mkfifo f; cat f > out & snapshot-cli dump s.json -o f; wait; cat out", "snapshot-cli dump s.json -o >(cat)",
    "snapshot-cli convert s.json /dev/stdout | cat",
  ])
  func aPipeIsWritten(_ line: String) throws {
    let result = try cli.shell("\(line); sleep 0.2")
    #expect(result.status == 0, "\(line): \(result)")
    let content: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(from: Array(result.output.utf8))
    #expect(content.tableCounts.map(\.count) == [1])
  }

  @Test func exportsAreWrittenToPipes() throws {
    try cli.makeStore()
    for command in ["export csv notes.json", "export sql notes.json -o"] {
      let direct = try cli.shell("snapshot-cli \(command) -")
      let piped = try cli.shell("snapshot-cli \(command) >(cat); sleep 0.2")
      #expect(piped.status == 0 && piped.output == direct.output && !direct.output.isEmpty, "\(piped)")
    }
  }

  /// A pipe ends once. A program that failed has written nothing.
  @Test(arguments: [
    "diff - /dev/stdin", "merge - s.json - -o -", "merge s.json f --base f -o -", "diff f f", "recover f -o f",
    "sync n.json f -o f",
  ])
  func aPipeIsUsedOnce(_ command: String) throws {
    try cli.makeStore()
    let result = try cli.shell("cp notes.json n.json; mkfifo f; timeout 20 snapshot-cli \(command) < s.json")
    #expect(result.status == Exit.usage && result.error.contains("used once only"), "\(command): \(result)")
  }

  @Test func anEmptyPipeIsNoMissingBase() throws {
    let result = try cli.shell("snapshot-cli merge <(false) s.json s.json -o -")
    #expect(result.status == Exit.badData && result.error.contains("is empty"), "\(result)")
  }

  /// A store cannot be a pipe, and no command waits for one.
  @Test(arguments: [
    "set PIPE p 1 a=1", "add x --store PIPE", "list --store PIPE", "watch PIPE", "generations PIPE", "fold PIPE",
    "restore s.json PIPE", "check PIPE --accept", "migrate PIPE", "edit PIPE p 1", "sync PIPE s.json",
    "merge PIPE s.json",
  ])
  func aStoreIsAFile(_ command: String) throws {
    let result = try cli.shell("timeout 20 snapshot-cli \(command.replacing("PIPE", with: "<(cat s.json)"))")
    #expect(result.status == Exit.usage && result.error.contains("is a pipe or a device"), "\(command): \(result)")
  }
}
