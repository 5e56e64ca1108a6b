import Foundation
import Testing

/// No layer of the library names a type of a layer above it, or beside it.
struct LayeringTests {
  static let checker = LayerChecker(order: [
    ["Support"], ["Collections"], ["Model"], ["Formats", "Files"], ["Merging"], ["Persistence"], ["Store"],
    ["Live"], ["Notebook"],
  ])

  @Test func theLibraryKeepsToItsLayers() throws {
    let violations = Self.checker.violations(in: try Self.libraryFiles())
    #expect(violations == [])
  }

  /// A checker that reads nothing finds nothing: it must have seen every folder, and types that are surely there.
  @Test func theLibraryWasRead() throws {
    let files = try Self.libraryFiles()
    #expect(Set(files.map(\.folder)) == Set(Self.checker.order.joined()))
    let known = [
      "Support": "SnapshotError", "Collections": "SortedTree", "Model": "Table", "Formats": "Document",
      "Files": "FileSystem", "Merging": "MergePolicy", "Persistence": "SavePolicy", "Store": "Store",
      "Live": "LiveList", "Notebook": "Note",
    ]
    for (folder, type) in known {
      let declared = files.filter { $0.folder == folder }.map { LayerChecker.declaredTypes($0.words) }
      #expect(declared.contains { $0.contains(type) }, "\(type) in \(folder)")
    }
  }

  // MARK: The checker itself

  private static let low = LayerChecker.File(
    folder: "Model", name: "Low.swift",
    text: """
      public struct Low { struct Nested {} }
      private struct Hidden {}
      @available(*, unavailable) package final class Other: Sendable {}
      """)

  private static func violations(_ folder: String, _ text: String) -> [String] {
    let high = LayerChecker.File(
      folder: "Store", name: "High.swift", text: "public final class High {}\npublic enum Nested {}\nstruct Hidden {}")
    let left = LayerChecker.File(folder: "Formats", name: "Left.swift", text: "extension Low {}\nactor Left {}")
    return checker.violations(in: [low, left, high, LayerChecker.File(folder: folder, name: "New.swift", text: text)])
  }

  @Test(arguments: [
    ("Model", "let a: High?", "Model/New.swift names High of Store"),
    ("Model", "extension High { func f() {} }", "Model/New.swift names High of Store"),
    ("Model", "func f() -> [String: any High] { }", "Model/New.swift names High of Store"),
    ("Model", "let a = SnapshotStore.High()", "Model/New.swift names High of Store"),
    ("Model", #"let a = "the \(High.self) is named""#, "Model/New.swift names High of Store"),
    ("Model", ##"let a = #"raw "text" \#(f("(", High()))"# "##, "Model/New.swift names High of Store"),
    ("Model", "let a = 1 /* in /* a */ comment */ as High", "Model/New.swift names High of Store"),
    // Neighbours.
    ("Files", "let a: Left", "Files/New.swift names Left of Formats"),
    ("Formats", "let a: Left.Type = Left.self\nlet b: High", "Formats/New.swift names High of Store"),
    ("Elsewhere", "let a = 1", "Elsewhere/New.swift is in no layer"),
  ])
  func whatIsForbidden(folder: String, text: String, violation: String) {
    #expect(Self.violations(folder, text) == [violation])
  }

  @Test(arguments: [
    ("Store", "let a: High, b: Low, c: Left, d: Other"),
    ("Persistence", "let a: Low, b: Left"),
    ("Model", "// High\n/// Uses a ``High``.\nlet a: Low /* High */"),
    ("Model", #"let a = "High and \"High\"", b = "\\", c = "High""#),
    ("Model", "let a = \"\"\"\n  High \"High\"\n  \"\"\""),
    ("Model", ##"let a = #"High \(High)"# "##),
    ("Model", "let a = HighRise(), b = isHigh, c = view.High, d: Low.Nested = .High"),
    ("Model", "struct New { let high = 1 }"),
    ("Model", "struct New { enum High {} }\nprivate struct Left {}\nlet a: Left, b: New.High, c: High"),
    ("Model", "let a: Nested, b: Hidden"),
    ("Notebook", "let a: High"),
  ])
  func whatIsAllowed(folder: String, text: String) {
    #expect(Self.violations(folder, text) == [])
  }

  /// What is declared inside of a type, or for one file only, is not a type of the layer.
  @Test func declaredTypes() {
    #expect(LayerChecker.declaredTypes(Self.low.words) == ["Low", "Other"])
    #expect(LayerChecker.declaredTypes(Self.low.words, isVisibleOnly: false) == ["Low", "Nested", "Hidden", "Other"])
    let words = SwiftWords.words(ofCode: "#if os(Linux)\n  typealias A = Int\n#endif\nextension B { enum C {} }")
    #expect(LayerChecker.declaredTypes(words) == ["A"])
  }

  // MARK: Reading the sources

  private static func libraryFiles() throws -> [LayerChecker.File] {
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    root.append(path: "Sources/SnapshotStore")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
    return try paths.sorted().map { path in
      let parts = path.split(separator: "/")
      return LayerChecker.File(
        folder: parts.count == 1 ? "" : String(parts[0]), name: String(parts[parts.count - 1]),
        text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }
  }
}
