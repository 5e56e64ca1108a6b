import Foundation
import Testing

/// The files of a size that the commands get. Each is made once for a test.
extension CommandScalingTests {
  func csv(_ size: Int, _ text: (Int) -> String = { "Note \($0)" }) throws -> String {
    let name = "in-\(size).csv"
    if !cli.exists(name) {
      let lines = (0..<size).map { "\(1_000 + $0),\(text($0)),Tag \($0 % 9),2014-01-02T03:04:05Z\n" }.joined()
      try cli.write("id,text,tags,created\n" + lines, to: name)
    }
    return name
  }

  /// A store with this number of notes.
  func store(_ size: Int) throws -> String {
    let name = "store-\(size).json"
    if !cli.exists(name) {
      let result = try cli.run("import", "csv", try csv(size), name)
      try #require(result.status == 0, "\(result.error)")
    }
    return name
  }

  /// A store that a command may change.
  func fresh(_ size: Int) throws -> String {
    let (source, name) = (try store(size), "fresh-\(size).json")
    try? FileManager.default.removeItem(at: cli.url(name))
    try FileManager.default.copyItem(at: cli.url(source), to: cli.url(name))
    return name
  }

  func copy(_ size: Int) throws -> String {
    let name = "copy-\(size).json"
    if !cli.exists(name) { try FileManager.default.copyItem(at: cli.url(try store(size)), to: cli.url(name)) }
    return name
  }

  /// A store whose last quarter is missing.
  func damaged(_ size: Int) throws -> String {
    let name = "damaged-\(size).json"
    if !cli.exists(name) {
      let text = try cli.text(try store(size))
      try cli.write(String(text.prefix(text.count * 3 / 4)), to: name)
    }
    return name
  }

  func exported(_ format: String, _ size: Int) throws -> String {
    let name = "exported-\(size).\(format)"
    if !cli.exists(name) {
      let result = try cli.run("export", format, try store(size), name)
      try #require(result.status == 0, "\(result.error)")
    }
    return name
  }

  /// A file with records for even ids. Standard input of a command is `in`, with as many for odd ids.
  func other(_ size: Int) throws -> String {
    func lines(_ odd: Int) -> [String] {
      (0..<size).map { #"{"id":\#(2 * $0 + odd),"name":"Name \#($0)","tags":["a"]}"# }
    }
    try cli.write(lines(1).joined(separator: "\n"), to: "in")
    let text = #"{"snapshot":{"schema":"x","version":1},"t":[{"id":7,"name":"Name 7","tags":[]},"#
    try cli.write(text + lines(0).dropFirst(4).joined(separator: ",\n") + "]}", to: "other-\(size).json")
    return "other-\(size).json"
  }

  func longNote(_ size: Int) throws -> String {
    let name = "long-\(size).json"
    if !cli.exists(name) {
      try cli.write("id,text\n1000,\(String(repeating: "a word ", count: size / 7))\n", to: "long.csv")
      let result = try cli.run("import", "csv", "long.csv", name)
      try #require(result.status == 0, "\(result.error)")
    }
    return name
  }

  /// A store with an older version that differs in every note.
  func changed(_ size: Int) throws -> String {
    let name = "changed-\(size).json"
    if !cli.exists(name) {
      try FileManager.default.copyItem(at: cli.url(try store(size)), to: cli.url(name))
      let result = try cli.run(["archive"] + (0..<size).map { "\(1_000 + $0)" } + ["--store", name])
      try #require(result.status == 0, "\(result.error)")
    }
    return name
  }
}
