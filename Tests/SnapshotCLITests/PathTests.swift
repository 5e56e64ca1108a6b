import Foundation
import SnapshotStore
import Testing

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
}
