import Foundation
import Testing

@testable import TestSupport

/// Each promise of the README, and of the guide with the full text, names its tests, and these exist.
@Suite struct PromiseTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

  /// A page with the promises, and the heading above them.
  static let pages = [
    ("README.md", "## What can be lost, and when"),
    ("Sources/SnapshotStore/SnapshotStore.docc/Saving.md", "## Promises"),
  ]

  @Test(arguments: pages)
  func everyPromiseNamesItsTests(page: String, heading: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
    let section = try #require(text.components(separatedBy: heading + "\n").dropFirst().first)
    let list = try #require(section.components(separatedBy: "\n## ").first)
    let promises = list.split(separator: /\n(?=[0-9]+\. )/).filter { $0.contains(#/^\s*[0-9]+\. /#) }
    #expect(promises.count == 10)
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: "Tests").path)
    let suites = Set(files.compactMap { $0.split(separator: "/").last?.split(separator: ".").first })
    for promise in promises {
      let names = promise.matches(of: /`(\w+Tests)`/).map(\.output.1)
      #expect(!names.isEmpty, "no test is named: \(promise.prefix(60))")
      for name in names { #expect(suites.contains(name), "there is no \(name)") }
    }
  }
}
