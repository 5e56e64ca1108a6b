import Foundation
import Testing

@testable import TestSupport

/// ARCHITECTURE.md tells the purpose of every source file of the library, so it must name each.
@Suite struct ArchitectureTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

  @Test func everyFileIsNamed() throws {
    let text = try String(contentsOf: Self.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
    let files = try ["SnapshotStore", "SnapshotNotebook", "SnapshotStoreTesting"].flatMap { module in
      try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: "Sources/\(module)").path)
    }.filter { $0.hasSuffix(".swift") }
    #expect(files.count > 50)
    for file in files {
      let name = file.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? file
      #expect(Self.names(of: name).contains { text.contains($0) }, "ARCHITECTURE.md does not name \(file)")
    }
  }

  /// `Type+Capability` may be named as `+Capability`, and a file also with its folder or its extension.
  private static func names(of file: String) -> [String] {
    let capability = file.firstIndex(of: "+").map { "`\(file[$0...])`" }
    return ["`\(file)`", "\(file).swift`", "`\(file),"] + (capability.map { [$0] } ?? [])
  }
}
