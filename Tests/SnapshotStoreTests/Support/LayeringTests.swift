import Testing

@testable import TestSupport

/// No room of a module names a type of a room above it, or beside it.
struct LayeringTests {
  /// A module whose folders are rooms, with types that certainly are in them.
  struct Module: CustomTestStringConvertible {
    let name: String
    let rooms: [[String]]
    let known: [String: String]

    var testDescription: String { name }
  }

  static let kernel = Module(
    name: "SnapshotStore",
    rooms: [
      ["Support"], ["Collections", "Tree", "Files"], ["Model", "JSON", "XML", "Binary"], ["Records", "Search"],
      ["Snapshot"],
      ["Compare"], ["Persistence"], ["Store"], ["Live"],
    ],
    known: [
      "Support": "SnapshotError", "Collections": "SortedTree", "Tree": "Item", "Files": "FileSystem",
      "Model": "Table", "JSON": "JSONScanner", "XML": "XMLScanner", "Binary": "BinaryObjects",
      "Records": "DirectRecord", "Search": "SearchQuery", "Snapshot": "FileFormat", "Compare": "MergePolicy",
      "Persistence": "SavePolicy",
      "Store": "Store",
      "Live": "LiveList",
    ])

  static let notebook = Module(
    name: "SnapshotNotebook",
    rooms: [["Text"], ["Notes"], ["Lists", "Sync"], ["Exchange"]],
    known: [
      "Text": "FrontMatter", "Notes": "Note", "Lists": "TimelineNote", "Sync": "SyncContent",
      "Exchange": "ForeignContent",
    ])

  private static let checker = LayerChecker(order: kernel.rooms)

  @Test(arguments: [kernel, notebook])
  func everyModuleKeepsToItsRooms(module: Module) throws {
    let violations = LayerChecker(order: module.rooms).violations(in: Self.files(of: module))
    #expect(violations == [])
  }

  /// A checker that reads nothing finds nothing. It must have seen every folder, and types that certainly exist.
  @Test(arguments: [kernel, notebook])
  func everyModuleWasRead(module: Module) throws {
    let files = Self.files(of: module)
    #expect(Set(files.map(\.folder)) == Set(module.rooms.joined()))
    for (folder, type) in module.known {
      let declared = files.filter { $0.folder == folder }.map { LayerChecker.declaredTypes($0.words) }
      #expect(declared.contains { $0.contains(type) }, "\(type) in \(folder)")
    }
  }

  /// The kernel knows no note, and the notebook uses only what every user can use of the kernel.
  @Test func theWallStands() throws {
    for file in Self.files(of: Self.kernel) {
      #expect(!file.words.contains("SnapshotNotebook"), "\(file.name) names the notebook")
    }
    for file in Self.files(of: Self.notebook) {
      for word in ["package", "testable", "_spi"] as [Substring] {
        #expect(!file.words.contains(word), "\(file.name) has the word \(word)")
      }
      // Names with an underscore are public for the compiler only (decision 0051).
      let underscored = file.words.filter { $0.hasPrefix("_") && $0.dropFirst().first?.isLetter == true }
      #expect(underscored == [], "\(file.name) names what is the library's own")
    }
  }

  /// One place returns the parts of a format, so a new format is a room and a case.
  @Test func formatsAreToldApartOnce() throws {
    let commands = ["SnapshotCommands", "snapshot-cli"].map { Module(name: $0, rooms: [], known: [:]) }
    let files = ([Self.kernel, Self.notebook] + commands).flatMap(Self.files)
    #expect(files.contains { $0.name == "Check.swift" })
    let places = files.flatMap { file in
      LayerChecker.placesThatTellFormatsApart(file.words).map { "\(file.folder)/\(file.name): \($0)" }
    }
    #expect(places == ["Snapshot/FileFormat.swift: case .ndjson"])
  }

  @Test func whatTellsFormatsApart() {
    each([
      ("switch document.format { case .json: 1 default: 2 }", ["switch document.format"]),
      ("if source.format == .xml { }", ["format .xml"]), ("guard format != .binary else { }", ["format .binary"]),
      ("switch self { case .json: 1 case .ndjson: 2 }", ["case .ndjson"]),
      ("let a = [FileFormat.ndjson]", ["FileFormat .ndjson", "case .ndjson"]),
      ("switch form { case .json: 1 }; a.format.parts.name; b == c.format; d ?? .json; notebook.ndjson()", []),
    ]) { (text: String, places: [String]) in
      #expect(LayerChecker.placesThatTellFormatsApart(SwiftWords.words(ofCode: text)) == places)
    }
  }

  // MARK: The checker itself

  private static let low = LayerChecker.File(
    folder: "Tree", name: "Low.swift",
    text: """
      public struct Low { struct Nested {} }
      private struct Hidden {}
      @available(*, unavailable) package final class Other: Sendable {}
      """)

  private static func violations(_ folder: String, _ text: String) -> [String] {
    let high = LayerChecker.File(
      folder: "Store", name: "High.swift", text: "public final class High {}\npublic enum Nested {}\nstruct Hidden {}")
    let left = LayerChecker.File(folder: "XML", name: "Left.swift", text: "extension Low {}\nactor Left {}")
    return checker.violations(in: [low, left, high, LayerChecker.File(folder: folder, name: "New.swift", text: text)])
  }

  @Test func whatIsForbidden() {
    each([
      ("Model", "let a: High?", "Model/New.swift names High of Store"),
      ("Model", "extension High { func f() {} }", "Model/New.swift names High of Store"),
      ("Model", "func f() -> [String: any High] { }", "Model/New.swift names High of Store"),
      ("Model", "let a = SnapshotStore.High()", "Model/New.swift names High of Store"),
      ("Model", #"let a = "the \(High.self) is named""#, "Model/New.swift names High of Store"),
      ("Model", ##"let a = #"raw "text" \#(f("(", High()))"# "##, "Model/New.swift names High of Store"),
      ("Model", "let a = 1 /* in /* a */ comment */ as High", "Model/New.swift names High of Store"),
      // Neighbours.
      ("JSON", "let a: Left", "JSON/New.swift names Left of XML"),
      ("XML", "let a: Left.Type = Left.self\nlet b: High", "XML/New.swift names High of Store"),
      ("Elsewhere", "let a = 1", "Elsewhere/New.swift is in no layer"),
    ]) { (folder: String, text: String, violation: String) in
      #expect(Self.violations(folder, text) == [violation])
    }
  }

  @Test func whatIsAllowed() {
    each([
      ("Store", "let a: High, b: Low, c: Left, d: Other"),
      ("Persistence", "let a: Low, b: Left"),
      ("Model", "// High\n/// Uses a ``High``.\nlet a: Low /* High */"),
      ("Model", #"let a = "High and \"High\"", b = "\\", c = "High""#),
      ("Model", "let a = \"\"\"\n  High \"High\"\n  \"\"\""),
      ("Model", ##"let a = #"High \(High)"# "##),
      ("Model", "let a = HighRise(), b = isHigh, c = view.High, d: Low.Nested = .High"),
      ("Model", "struct New { let high = 1 }"),
      ("Model", "struct New { enum High {} }\nprivate struct Left {}\nlet a: Left, b: New.High, c: High"),
      ("Tree", "let a: Nested, b: Hidden"),
      ("Live", "let a: High"),
    ]) { (folder: String, text: String) in
      #expect(Self.violations(folder, text) == [])
    }
  }

  /// Declarations inside a type, or for one file only, are not types of the layer.
  @Test func declaredTypes() {
    #expect(LayerChecker.declaredTypes(Self.low.words) == ["Low", "Other"])
    #expect(LayerChecker.declaredTypes(Self.low.words, isVisibleOnly: false) == ["Low", "Nested", "Hidden", "Other"])
    let words = SwiftWords.words(ofCode: "#if os(Linux)\n  typealias A = Int\n#endif\nextension B { enum C {} }")
    #expect(LayerChecker.declaredTypes(words) == ["A"])
  }

  // MARK: The sources

  private static func files(of module: Module) -> [LayerChecker.File] {
    Repository.sources.filter { $0.module == module.name }.map { source in
      let parts = source.path.split(separator: "/").dropFirst()
      return LayerChecker.File(
        folder: parts.count == 1 ? "" : String(parts.first ?? ""), name: String(parts.last ?? ""), words: source.words)
    }
  }
}
