import Foundation
import Testing

@testable import TestSupport

/// ARCHITECTURE.md is a tour: it names every room, and every name in it exists. The first line of a file tells its
/// purpose.
@Suite struct ArchitectureTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
  private static let modules = [
    "SnapshotFoundation", "SnapshotSystem", "SnapshotStore", "SnapshotFolders", "SnapshotNotebook",
    "SnapshotStoreTesting",
    "SnapshotUI", "SnapshotCommands", "snapshot-cli",
  ]

  private static func text() throws -> String {
    try String(contentsOf: root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
  }

  /// The paths of all files below a folder of the repository.
  private static func paths(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path).map { "\(folder)/\($0)" }
  }

  @Test func theTourIsShort() throws {
    #expect(try Self.text().split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  @Test func everyModuleAndRoomIsNamed() throws {
    let text = try Self.text()
    for module in Self.modules { #expect(text.contains("`\(module)`"), "\(module)") }
    for module in ["SnapshotStore", "SnapshotNotebook"] {
      let folders = try FileManager.default.contentsOfDirectory(
        atPath: Self.root.appending(path: "Sources/\(module)").path)
      for room in folders where !room.contains(".") { #expect(text.contains("`\(room)`"), "\(module)/\(room)") }
    }
  }

  /// A name in code style is a file, a folder, a script or a member of one of these types.
  @Test func everyNameIsThere() throws {
    let paths = try ["Sources", "Tests", "Scripts", "Docs", "Benchmarks", "Examples"].flatMap(Self.paths)
    var names = Set(paths.flatMap { path in [path, path.replacing(".swift", with: "")] })
    names.formUnion(paths.flatMap { $0.replacing(".swift", with: "").split(separator: "/").map(String.init) })
    names.formUnion(["Tests", "Benchmarks"])
    let found = try Self.text().matches(of: #/`([A-Za-z+/_-]+)`/#).map { String($0.output.1) }
    #expect(found.count > 60)
    let swift = ["switch", "exit", "Codable"]
    for name in Set(found).subtracting(swift) {
      let isThere =
        names.contains(name)
        || names.contains { $0.hasSuffix("/" + name) || (name.hasPrefix("+") && $0.hasSuffix(name)) }
      #expect(isThere, "there is no \(name)")
    }
  }

  @Test func everyFileSaysWhatItIsFor() throws {
    // These files have only imports.
    let imports = ["SnapshotFoundation", "SnapshotSystem"].map { "Sources/\($0)/\($0).swift" }
    let files = try Self.paths(in: "Sources").filter {
      // The steps of a tutorial are no sources.
      $0.hasSuffix(".swift") && !imports.contains($0) && !$0.contains(".docc/")
    }
    #expect(files.count > 300)
    for file in files {
      let lines = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8).split(separator: "\n")
      let first = lines.first { !$0.contains(#/^\s*((@\S+ )*(public |package )?import |\#|// )/#) }
      #expect(first?.contains(#/^\s*/// /#) == true, "\(file) begins with: \(first ?? "")")
    }
  }
}
