import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

@testable import TestSupport

/// The time of commands grows with their input: with four times the size, at most eight times as long.
@Suite struct CommandScalingTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.write("", to: "in")
  }

  /// Seconds of processor time of a command, the system's included, as the shell accounts for its children.
  private func time(_ arguments: [String], status: Int32 = 0) throws -> Double {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", "\"$0\" \"$@\" >out 2>err <in; code=$?; times; exit $code", CLI.tool.path] + arguments
    process.currentDirectoryURL = cli.folder
    process.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": cli.folder.path, "EDITOR": "./editor.sh"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let error = try cli.text("err")
    try #require(process.terminationStatus == status, "\(arguments.prefix(4)): \(error)")
    // The second line has the children: “0m0.020000s 0m0.010000s”.
    let children = try #require(text.split(separator: "\n").dropFirst().first).split(separator: " ")
    return children.reduce(0) { sum, part in
      let parts = part.dropLast().split(separator: "m")
      return sum + (Double(parts.first ?? "") ?? 0) * 60 + (Double(parts.last ?? "") ?? 0)
    }
  }

  /// The commands for a size. The first one is not counted if it makes the input of the others.
  private func check(
    _ name: String, _ size: Int, status: Int32 = 0, _ arguments: (Int) throws -> [String]
  ) throws {
    if !Proofs.includes(name, oneIn: 3) { return }
    let size = Proofs.pick(full: size, quick: size / 4)
    // The start of a process is not counted.
    let idle = try time(["--version"])
    var (small, large) = (0.0, Double.infinity)
    var ratio = 0.0
    for _ in 0..<3 {
      small = max(small, try time(try arguments(size), status: status) - idle)
      large = min(large, try time(try arguments(4 * size), status: status) - idle)
      // The clock has steps of ten milliseconds.
      ratio = large / max(small, 0.03)
      if ratio <= 8 { break }
    }
    if ProcessInfo.processInfo.environment["SNAPSHOT_SCALING"] != nil {
      print("scaling: \(name): \((ratio * 10).rounded() / 10) (\(small) s, \(large) s)")
    }
    #expect(ratio <= 8, "\(name): four times the input takes \(ratio) times as long (\(small) s, \(large) s)")
  }

  @Test func notes() throws {
    let size = 1_000
    for (name, arguments) in [
      ("check", ["check"]), ("list", ["list", "--store"]), ("tags", ["tags", "--store"]),
      ("search", ["search", "nowhere", "--store"]),
      ("info", ["info"]), ("wait-for-change", ["wait-for-change", "--since="]),
    ] {
      try check(name, size) { arguments + [try store($0)] }
    }
    for (name, arguments) in [
      ("tables", ["tables"]), ("rows", ["rows", "--where", "text contains \"7\"", "--sort", "text"]),
      ("rows as CSV", ["rows", "--format", "csv"]),
    ] {
      try check(name, size) { arguments + [try store($0)] + (name == "tables" ? [] : ["notes"]) }
    }
    try check("import", size) { ["import", "csv", try csv($0), "none.json", "--dry-run"] }
    try check("import again", size) { ["import", "csv", try csv($0), try store($0), "--dry-run"] }
    for format in ["csv", "ndjson", "vesper"] {
      try check("export \(format)", size) { ["export", format, try store($0), "-"] }
    }
    try check("export sql", size) { ["export", "sql", try store($0)] }
    for format in ["xml", "binary", "ndjson"] {
      try check("dump \(format)", size) { ["dump", try store($0), "--format", format, "-o", "-"] }
    }
    try check("diff", size) { ["diff", try store($0), try copy($0)] }
    try check("sync", size) { ["sync", try store($0), try copy($0), "--dry-run"] }
    try check("merge", size) { ["merge", try store($0), try copy($0), "-o", "out.json", "--force"] }
  }

  /// Records and columns of CSV that become records.
  @Test func recordsOfCSV() throws {
    try check("put CSV", 2_000) { size in
      try cli.write(#"{"snapshot":{"schema":"x","version":1},"t":[{"id":-1,"a":1,"b":"x"}]}"#, to: "into-\(size).json")
      try cli.write("id,a,b\n" + (0..<size).map { "\($0),\($0),text \($0)\n" }.joined(), to: "in")
      return ["put", "into-\(size).json", "t", "--format", "csv"]
    }
    try check("put CSV, columns", 2_000) { size in
      try cli.write(#"{"snapshot":{"schema":"x","version":1},"t":[]}"#, to: "into-\(size).json")
      let titles = (0..<size).map { ",c\($0)" }.joined()
      try cli.write("id\(titles)\n1\(String(repeating: ",1", count: size))\n", to: "in")
      return ["put", "into-\(size).json", "t", "--format", "csv"]
    }
  }

  /// Every dimension of a file that becomes tables.
  @Test func tablesOfADatabase() throws {
    let file = { (name: String, size: Int, body: (Int) -> String) throws -> [String] in
      let path = "\(name)-\(size).json"
      if !cli.exists(path) {
        let members = (0..<size).map(body).joined(separator: ",\n")
        let start = #"{"snapshot":{"schema":"x","version":1},"#
        try cli.write(name == "tables" ? "\(start)\(members)}" : "\(start)\"t\":[\(members)]}", to: path)
      }
      return ["export", "sql", path, "--dialect", "postgresql"]
    }
    let id = "00000000-0000-0000-0000-000000000000"
    try check("export sql, tables", 1_000) { size in
      try file("tables", size) { #""t\#($0)":[{"id":"\#("\($0)\(id)".suffix(36))","r":"\#(id)","a":{"b":[1]}}]"# }
    }
    try check("export sql, one name in many spellings", 1_000) { size in
      let long = String(repeating: "n", count: 70)
      return try file("tables", size + 1) { #""\#(long)\#($0)":[{"id":1}]"# }
    }
    try check("export sql, keys", 5_000) { size in try file("keys", size) { #"{"id":\#($0),"k\#($0)":1}"# } }
    try check("export sql, nested", 2_000) { size in
      try file("nested", size) { #"{"id":\#($0),"a":[{"b":[[1,2],[3]],"c\#($0 % 150)":{"d":{}}}]}"# }
    }
  }

  @Test func wholeFiles() throws {
    let size = 500
    try check("convert", size) { ["convert", try store($0), "out.bplist", "--force"] }
    try check("restore", size) { ["restore", try store($0), "restored.json", "--force"] }
    // The exit code says that something was lost.
    try check("recover", size, status: 1) { ["recover", try damaged($0), "-o", "recovered.json", "--force"] }
    try check("migrate", size) { ["migrate", try store($0), "--dry-run"] }
    for format in ["vesper-folder", "markdown"] {
      try check("export \(format)", size / 5) { ["export", format, try store($0), "\(format)-\($0)", "--force"] }
    }
    for format in ["vesper-folder", "markdown", "ndjson", "vesper"] {
      try check("import \(format)", format.count > 6 ? size / 5 : size) {
        ["import", format, try exported(format, $0), "none.json", "--dry-run"]
      }
    }
  }

  @Test func oneNoteOfMany() throws {
    let size = 500
    try cli.write("#!/bin/sh\necho more >>\"$1\"\n", to: "editor.sh")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: cli.url("editor.sh").path)
    try check("add", size) { ["add", "x", "--store", try fresh($0)] }
    try check("show", size) { ["show", "1000", "--store", try store($0)] }
    try check("get", size) { ["get", try store($0), "notes", "1000"] }
    try check("set", size) { ["set", try fresh($0), "notes", "1000", "text=x"] }
    try check("tag", size) { ["tag", "1000", "New", "--store", try fresh($0)] }
    try check("edit", size) { ["edit", "1000", "--store", try fresh($0)] }
  }

  /// Records of a model that the tool does not know.
  @Test func otherRecords() throws {
    let size = 1_000
    try cli.write("#!/bin/sh\nsed -i 's/Name 7/Other/' \"$1\"\n", to: "editor.sh")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: cli.url("editor.sh").path)
    try check("put", size) { ["put", try other($0), "t"] }
    try check("edit", size) { ["edit", try other($0), "t", "7"] }
    try check("rows of other records", size) {
      ["rows", try other($0), "t", "--where", "name contains \"7\"", "--sort=-name"]
    }
    try check("tables of other records", size) { ["tables", try other($0)] }
  }

  /// One record with very many keys.
  @Test func keysOfARecord() throws {
    for format in ["table", "json", "csv"] {
      try check("rows as \(format), keys", 12_000) { size in
        let name = "keys-\(size).json"
        let keys = (0..<size).map { "\"k\($0)\":1" }.joined(separator: ",\n")
        try cli.write(#"{"snapshot":{"schema":"x","version":1},"t":[{"id":1,\#(keys)}]}"#, to: name)
        return ["rows", name, "t", "--format", format]
      }
    }
  }

  @Test func oneLongNote() throws {
    try check("show a long note", 100_000) { ["show", "1000", "--store", try longNote($0)] }
    try check("show a long note as JSON", 100_000) { ["show", "1000", "--json", "--store", try longNote($0)] }
  }

  @Test func olderVersions() throws {
    let size = 250
    try check("generations", size) { ["generations", try changed($0)] }
    try check("generations compare", size, status: 1) { ["generations", try changed($0), "compare", "1"] }
    // The present file becomes one more generation, so it can be run again.
    try check("generations restore", size) { ["generations", try changed($0), "restore", "1"] }
  }

  @Test func manyArguments() throws {
    try check("archive", 2_000) { size in
      ["archive"] + (0..<size).map { "\(1_000 + $0)" } + ["--store", try store(size)]
    }
    try check("delete", 2_000) { size in
      ["delete"] + (0..<size).map { "\(1_000 + $0)" } + ["--store", try fresh(size)]
    }
    try check("remove", 2_000) { size in
      ["remove", try fresh(size), "notes"] + (0..<size).map { "\(1_000 + $0)" }
    }
    try check("tag with many names", 1_000) { size in
      ["tag", "1000"] + (0..<size).map { "T\($0)" } + ["--store", try fresh(9)]
    }
    try check("tags of one note", 2_000) { size in
      ["add", "x", "--store", "tagged.json"] + (0..<size).flatMap { ["--tag", "T\($0)"] }
    }
  }

  /// What a shell asks at each Tab.
  @Test func completions() throws {
    try check("complete ids", 4_000) { ["complete", "zsh", "get", try store($0), "notes", ""] }
    try check("complete notes", 4_000) { ["complete", "fish", "show", "--store", try store($0), ""] }
    try check("complete properties", 4_000) { ["complete", "bash", "x rows \(try store($0)) notes --columns t", " ="] }
    try check("complete after many words", 2_000) { size in
      ["complete", "zsh", "remove", try store(100), "notes"] + (0..<size).map { "\($0)" } + [""]
    }
    // A system passes an argument of at most 128 KB.
    for part in ["a ", "a=", "\\a", "'a'", "$A"] {
      try check("complete a line of “\(part)”", 10_000) { size in
        ["complete", "bash", "x rows " + String(repeating: part, count: size), " ="]
      }
    }
  }

  @Test func oneLongName() throws {
    try check("a tag beyond ASCII", 20_000) { size in
      let name = "tag-\(size).csv"
      if !cli.exists(name) { try cli.write("text,tags\nT,\(String(repeating: "é", count: size))\n", to: name) }
      return ["import", "csv", name, "none.json", "--dry-run"]
    }
  }
}
