import Foundation
import SnapshotStore
import Testing

@testable import TestSupport

/// Paths are taken literally: only the shell expands a tilde.
@Suite struct PathTests {
  let cli: CLI
  let home: URL

  init() throws {
    cli = try CLI()
    home = cli.url("home")
    for name in ["home", "~", "~root"] {
      try FileManager.default.createDirectory(
        at: cli.folder.appending(path: "./" + name), withIntermediateDirectories: true)
    }
  }

  @Test(arguments: ["~/n.json", "./~/n.json", "~root/n.json", "~n.json"]) func aTildeIsAName(_ path: String) throws {
    let environment = ["HOME": home.path]
    #expect(try cli.run("add", "Hello", "--store", path, environment: environment).status == Exit.good)
    let file = cli.folder.path + "/" + path
    #expect(FileManager.default.fileExists(atPath: file))
    #expect(
      try cli.run("list", environment: environment.merging(["SNAPSHOT_STORE": path]) { $1 }).output.contains("Hello"))
    let out = (path as NSString).deletingPathExtension + "-out"
    let commands = [
      ["dump", path, "-o", out + ".json"], ["convert", path, out + ".plist"], ["check", path], ["diff", path, path],
      ["merge", path, out + ".json"], ["sync", path, path, "--outgoing", out + ".vesper"], ["generations", path],
      ["export", "markdown", path, out + "-md"], ["import", "markdown", out + "-md", path],
      ["restore", path, out + "-restored.json"],
    ]
    for command in commands {
      let result = try cli.run(command, environment: environment)
      #expect(result.status == Exit.good, "\(command): \(result.error)")
    }
    let stray = try FileManager.default.subpathsOfDirectory(atPath: home.path)
    #expect(stray == [])
    #expect(FileManager.default.fileExists(atPath: cli.folder.path + "/" + out + "-md"))
  }

  /// A loop of links, and a link to a file that is gone.
  @Test func linksThatLeadToNoFile() throws {
    for (name, target) in [("loop.json", "loop.json"), ("gone.json", "none.json")] {
      try FileManager.default.createSymbolicLink(atPath: cli.url(name).path, withDestinationPath: target)
    }
    each([
      ["set", "FILE", "notes", "1", "text=x"], ["remove", "FILE", "notes", "1"], ["sync", "FILE", "-"], ["show", "1"],
      ["archive", "1"], ["check", "FILE"], ["rows", "FILE", "notes"],
    ]) { (command: [String]) throws in
      for (name, message) in [
        ("loop.json", "symbolic links without end"), ("gone.json", "a symbolic link that leads to no file"),
      ] {
        let arguments =
          command.contains("FILE") ? command.map { $0 == "FILE" ? name : $0 } : command + ["--store", name]
        let result = try cli.run(arguments, input: #"{"notes":[],"tags":[]}"#)
        #expect(result.status == Exit.noInput && result.error.contains(message), "\(arguments) \(result)")
      }
    }
  }
}
