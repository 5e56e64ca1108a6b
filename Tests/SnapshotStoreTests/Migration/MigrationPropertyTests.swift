import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Files of every older version, in every format, give the value that plain Swift code computes.
struct MigrationPropertyTests {
  @Test func everyVersionBecomesTheSame() {
    each(SeededGenerator.seeds(12), FileFormat.allCases) { (seed: UInt64, format: FileFormat) throws in
      let first = try Library.V1.random(seed: seed)
      let second = try Library.V2(first)
      let third = try Library.V3(second)
      let today = try Library.Today(third)
      let expected = try SnapshotFile.encode(today, as: format)
      let files = try [
        SnapshotFile.encode(first, as: format), SnapshotFile.encode(second, as: format),
        SnapshotFile.encode(third, as: format), expected,
      ]
      for (index, file) in files.enumerated() {
        let value = try SnapshotFile.decode(Library.Today.self, from: file)
        #expect(value.allViolations() == [])
        // Bytes tell more than `==`: of NaN, of negative zero, of normalisation.
        #expect(try SnapshotFile.encode(value, as: format) == expected, "version \(index + 1), seed \(seed)")
        try expectKeepsTheOldFile(file, expected, version: index + 1, format)
      }
    }
  }

  /// In a store: opened, changed, changed back, closed.
  private func expectKeepsTheOldFile(
    _ file: [UInt8], _ expected: [UInt8], version: Int, _ format: FileFormat
  ) throws {
    let test = StoreUnderTest()
    test.bytes = file
    var options = StoreOptions(policy: .manual)
    options.generations = .none
    let store = try test.open(Library.Today.self, options)
    #expect(store.openReport?.migration?.from == (version < 4 ? version : nil))
    #expect(test.bytes == file)
    let loan = Library.Loan(id: 5_000_000_000, title: "", borrower: "")
    try store.write { try $0.loans.upsert(loan) }
    try store.flushAndWait()
    try store.write { $0.loans.remove(loan.id) }
    try store.closeAndWait()
    #expect(test.bytes == expected)
    let kept = try test.generations.map { test.fileSystem["/dir/.store.json.generations/\($0.url.lastPathComponent)"] }
    #expect(kept == (version < 4 ? [file] : []))
    #expect(test.openCount == 0)
  }

  // Damage and exceeded limits are found before a step runs.
  @Test func oldFilesAreCheckedAsAnyOther() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let file = try SnapshotFile.encode(try Library.V1.random(seed: 7, count: 20), as: format)
      var random = SeededGenerator(seed: 11)
      for _ in 0..<200 {
        var damaged = file
        damaged[Int.random(in: 0..<file.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        let error = #expect(throws: SnapshotError.self) {
          try SnapshotFile.decode(Library.Today.self, from: damaged)
        }
        #expect(error?.code != .migrationFailed)
      }
      for limits in [ReadLimits(fileSize: file.count - 1), ReadLimits(depth: 1), ReadLimits(elementCount: 8)] {
        let error = #expect(throws: SnapshotError.self) {
          try SnapshotFile.decode(Library.Today.self, from: file, options: ReadOptions(limits: limits))
        }
        #expect([.tooLarge, .limitExceeded].contains(error?.code))
      }
    }
  }
}
