import Foundation
import Testing

@testable import SnapshotStore

/// Salvage on every cut and every changed bit of small files: it ends, it is honest, and it loses little.
@Suite struct SalvageDamageTests {
  private let original: Notebook
  private let lines: [String: String]

  init() throws {
    original = try Notebook.ofEveryKind()
    lines = try original.lines()
  }

  @Test(arguments: FileFormat.allCases)
  func aFileWithoutDamageIsItself(format: FileFormat) throws {
    for checksum in [true, false] {
      let salvaged = try Salvaged<Notebook>(of: encoded(original, format, checksum: checksum))
      #expect(salvaged.losses == [] && salvaged.isComplete)
      #expect(try salvaged.value.lines() == lines)
      #expect(salvaged.checksum == (checksum ? .ok : .absent))
      #expect(salvaged.format == format)
    }
  }

  /// Every record before the cut is there, and nothing that was not.
  @Test(arguments: FileFormat.allCases)
  func everyCut(format: FileFormat) throws {
    let bytes = try encoded(original, format)
    var counts: [Int] = []
    for count in 1..<bytes.count {
      guard let salvaged = try? Salvaged<Notebook>(of: Array(bytes[..<count])) else {
        counts.append(0)
        continue
      }
      let found = try salvaged.value.lines()
      for (name, line) in found where lines[name] != line && !isMended(name, salvaged) {
        Issue.record("\(name) invented after \(count) bytes: \(line)")
      }
      if salvaged.isComplete { Issue.record("no loss after \(count) bytes") }
      #expect(salvaged.value.allViolations() == [])
      counts.append(found.count)
    }
    let all = lines.count
    #expect(counts.last.map { $0 >= all - 1 } == true, "\(counts.last ?? 0) of \(all)")
    #expect(counts[counts.count / 2] > 1)
  }

  /// A changed bit costs one record at most, or two where it makes one of them look like the other. What is there is as it
  /// was, or its own bytes were changed, which nothing but the checksum tells.
  @Test(arguments: FileFormat.allCases)
  func everyFlippedBit(format: FileFormat) throws {
    var bytes = try encoded(original, format)
    var worst = 0
    var lostRecords = 0
    for index in bytes.indices {
      for bit in 0..<8 {
        bytes[index] ^= 1 << UInt8(bit)
        defer { bytes[index] ^= 1 << UInt8(bit) }
        guard let salvaged = try? Salvaged<Notebook>(of: bytes) else {
          if format != .binary || index < bytes.count - 32 { Issue.record("nothing: bit \(bit) of byte \(index)") }
          continue
        }
        if salvaged.isComplete || salvaged.checksum == .ok { Issue.record("no loss: bit \(bit) of byte \(index)") }
        let found = try salvaged.value.lines()
        let intact = lines.filter { found[$0.key] == $0.value }.count
        worst = max(worst, lines.count - intact)
        lostRecords += lines.count - intact
        #expect(salvaged.value.allViolations().filter { !$0.contains("its name is") && !$0.contains("also among") } == [])
      }
    }
    print("\(format): worst flip costs \(worst) records, mean \(Double(lostRecords) / Double(8 * bytes.count))")
  }

  private func isMended(_ name: String, _ salvaged: Salvaged<Notebook>) -> Bool {
    salvaged.losses.contains { $0.kind == .mending }
  }
}
