import Testing

/// What the documents claim of the sources, read from the sources.
@Suite struct HouseTests {
  /// All of the sources are read, or nothing is found.
  @Test func theSourcesAreRead() {
    #expect(Set(Repository.sources.map(\.module)).count == 9)
    #expect(Repository.sources.count > 300)
    #expect(Repository.sources.allSatisfy { !$0.code.isEmpty })
  }

  /// A release build drops the message of a precondition. A mistake of the program needs it there most: use
  /// `fatalError`.
  @Test func noTrapLosesItsMessage() {
    #expect(Self.trapsThatLoseTheirMessage(in: #"precondition(a(b) == c, "text")"#) == ["precondition"])
    #expect(Self.trapsThatLoseTheirMessage(in: #"precondition(a == "b")"#) == [])
    for source in Repository.sources where source.code.contains("precondition") {
      #expect(Self.trapsThatLoseTheirMessage(inCode: source.code) == [], "\(source.path)")
    }
  }

  private static func trapsThatLoseTheirMessage(in text: String) -> [String] {
    trapsThatLoseTheirMessage(inCode: SwiftWords.code(of: text))
  }

  private static func trapsThatLoseTheirMessage(inCode code: String) -> [String] {
    code.matches(of: #/\b(precondition|preconditionFailure)\(((?:[^()]|\([^()]*\))*,)?\s*""/#).map {
      String($0.output.1)
    }
  }

  /// Docs/PLATFORMS.md lists the files with conditions, and the conditions of each.
  @Test func thePageNamesTheFilesThatDiffer() throws {
    let rows = try Repository.table(of: "Docs/PLATFORMS.md", headed: ["file", "conditions", "what differs"])
    let files = Repository.sources.filter { $0.code.contains("#if") }.map { source in
      let conditions = source.code.matches(of: #/#(?:else)?if (.*)/#).flatMap { line in
        line.output.1.matches(of: #/(?:canImport|os)\(\w+\)|\w+/#).map { String($0.output) }
      }
      let names = Set(conditions).filter { !$0.allSatisfy(\.isNumber) }.sorted().map { "`\($0)`" }
      return ["`\(source.path)`", names.joined(separator: ", ")]
    }
    #expect(files.count > 10)
    #expect(rows.map { Array($0.prefix(2)) } == files)
    // One module imports the C library.
    let system = Repository.sources.filter { $0.code.contains(#/\bimport (Glibc|Musl|Darwin|Android)\b/#) }.map(\.path)
    #expect(system == ["SnapshotSystem/SnapshotSystem.swift"])
  }

  /// Decision 0001 lists them.
  @Test func thePageNamesTheErrors() throws {
    let rows = try Repository.table(of: "Docs/Decisions/0001-support-layer.md", headed: ["error", "what throws it"])
    let errors = Repository.sources.filter { $0.module != "snapshot-cli" && $0.code.contains("Error") }.flatMap {
      source in
      source.code.matches(of: #/\bpublic (?:struct|enum|final class) (\w+)(?:<[^>]*>)?:[^{]*\bError\b/#).map {
        String($0.output.1)
      } + source.code.matches(of: #/(?m)^extension (\w+):[^{]*\bError\b/#).map { String($0.output.1) }
    }
    // A nested type stands in the table with the type that has it.
    let named = rows.compactMap { $0[0].replacing("`", with: "").split(separator: ".").last.map(String.init) }
    #expect(Set(errors) == Set(named))
  }

  @Test func theManifestHasNoDependencies() throws {
    let manifest = SwiftWords.code(of: try Repository.text("Package.swift"))
    #expect(!manifest.contains(".package("))
    #expect(try Repository.text("Package.swift").contains(#".target(name: "SnapshotFoundation""#))
    for module in ["SnapshotFoundation", "SnapshotFolders"] {
      #expect(try !Repository.text("Package.swift").contains(#".library(name: "\#(module)""#))
    }
  }

  /// Classes are final. What the compiler does not check has its proof in a comment. The library prints nothing.
  @Test func whatTheCompilerDoesNotCheck() throws {
    for source in Repository.sources where ["class ", "print(", "@unchecked"].contains(where: source.code.contains) {
      #expect(
        !source.code.contains(#/(?m)^\s*((public|package|private|fileprivate|@\w+) )*class \w+/#), "\(source.path)")
      // Commands print.
      if !["snapshot-cli", "SnapshotCommands"].contains(source.module) {
        #expect(!source.code.contains(#/(?m)(^|[^.\w])(print|debugPrint|NSLog)\(/#), "\(source.path)")
      }
      guard source.code.contains("@unchecked Sendable") else { continue }
      let lines = try Repository.text("Sources/\(source.path)").split(separator: "\n").map { $0.drop { $0 == " " } }
      for (index, line) in lines.enumerated() where line.contains("@unchecked Sendable") {
        let above = lines[..<index].last { !$0.hasPrefix("@") && !$0.hasPrefix("#") }
        #expect(above?.hasPrefix("//") == true, "\(source.path): \(line)")
      }
    }
  }

  /// Time in tests is what they make it.
  @Test func noTestSleeps() throws {
    let files = try Repository.swiftFiles(below: "Tests")
    #expect(files.count > 250)
    for (path, text) in files where text.contains("sleep(") || text.contains("SnapshotNotebook") {
      #expect(!SwiftWords.code(of: text).contains(#/\b(u|nano)?sleep\(/#), "\(path)")
      if path.hasPrefix("SnapshotStoreTests/") || path.hasPrefix("TestSupport/") {
        #expect(!text.contains("import " + "SnapshotNotebook"), "\(path) knows the notebook")
      }
    }
  }

  /// Names with an underscore are public for the compiler only (decision 0051).
  @Test func theNotebookNamesNothingThatIsTheLibrarysOwn() {
    let sources = Repository.sources.filter { $0.module == "SnapshotNotebook" }
    #expect(sources.count > 20)
    for source in sources {
      let names = source.words.filter { $0.hasPrefix("_") && $0.dropFirst().first?.isLetter == true }
      #expect(names == [], "\(source.path)")
    }
  }

  /// A module imports of this package what the tour says that it may use.
  @Test func theTourHasTheImportsOfModules() throws {
    let allowed: [String: Set<String>] = [
      "SnapshotFoundation": [], "SnapshotSystem": [], "SnapshotStore": ["SnapshotFoundation", "SnapshotSystem"],
      "SnapshotFolders": ["SnapshotFoundation", "SnapshotStore"],
      "SnapshotNotebook": ["SnapshotFolders", "SnapshotStore"], "SnapshotUI": ["SnapshotStore"],
      "SnapshotStoreTesting": ["SnapshotStore", "SnapshotFoundation"],
      "SnapshotCommands": ["SnapshotStore"],
      "snapshot-cli": ["SnapshotStore", "SnapshotCommands", "SnapshotNotebook"],
    ]
    let used = Dictionary(grouping: Repository.sources, by: \.module).mapValues { sources in
      Set(sources.flatMap { $0.code.matches(of: #/(?m)^[\w ]*import (Snapshot\w+)/#).map { String($0.output.1) } })
    }
    #expect(used == allowed)
  }
}
