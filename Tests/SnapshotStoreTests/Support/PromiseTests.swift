import Foundation
import Testing

@testable import TestSupport

/// Each promise of the README names the tests that hold it, and these exist.
@Suite struct PromiseTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

  @Test func everyPromiseNamesItsTests() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let section = try #require(readme.components(separatedBy: "## What can be lost, and when").dropFirst().first)
    let promises = try #require(section.components(separatedBy: "\n### ").first).split(separator: /\n(?=[0-9]+\. )/)
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
