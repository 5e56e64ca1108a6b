import Foundation
import SnapshotStore
import Testing

@testable import TestSupport

/// Files of other formats that are written in pieces.
@Suite struct StreamedFileTests {
  private let folder: TemporaryFolder
  private var url: URL { folder.url("out.txt") }

  init() throws { folder = try TemporaryFolder() }

  private func write(
    replacing mayReplace: (_ beginning: [UInt8]) -> Bool = { _ in false }, _ pieces: [[UInt8]],
    failure: SnapshotError? = nil
  ) throws {
    try SnapshotFile.write(to: url, replacing: mayReplace) { append throws(SnapshotError) in
      for piece in pieces { try append(piece) }
      if let failure { throw failure }
    }
  }

  private var bytes: [UInt8] { get throws { Array(try Data(contentsOf: url)) } }
  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.url("").path).filter { !$0.hasSuffix(".lock") }
    }
  }

  /// Pieces smaller and larger than the bytes of a system call.
  @Test func theFileHasAllPieces() throws {
    let pieces = [1, 0, 5_000, 1 << 20, (1 << 20) + 1, 3].map { [UInt8](repeating: UInt8($0 % 251), count: $0) }
    try write(pieces)
    #expect(try bytes == pieces.flatMap(\.self))
    #expect(try names == ["out.txt"])
  }

  @Test func anErrorLeavesNothing() throws {
    let failure = SnapshotError(.invalidValue, "no")
    #expect(throws: SnapshotError.self) { try write([Array("new".utf8)], failure: failure) }
    #expect(try names == [])
    try write([Array("old".utf8)])
    #expect(throws: SnapshotError.self) { try write(replacing: { _ in true }, [Array("new".utf8)], failure: failure) }
    #expect(try bytes == Array("old".utf8))
    #expect(try names == ["out.txt"])
  }

  @Test func theBeginningDecidesWhetherAFileIsReplaced() throws {
    let old = [UInt8](repeating: 7, count: 10_000)
    try write([old])
    var seen: [UInt8] = []
    let error = #expect(throws: SnapshotError.self) {
      try write(
        replacing: {
          seen = $0
          return false
        }, [Array("new".utf8)])
    }
    #expect(error?.code == .fileExists)
    #expect(seen == Array(old.prefix(4_096)))
    #expect(try bytes == old)
    try write(replacing: { $0.first == 7 }, [Array("new".utf8)])
    #expect(try bytes == Array("new".utf8))
  }

  @Test func aFileThatChangesMeanwhileIsKept() throws {
    try write([Array("old".utf8)])
    let url = url
    let error = #expect(throws: SnapshotError.self) {
      try SnapshotFile.write(to: url, replacing: { _ in true }) { append throws(SnapshotError) in
        try append(Array("new".utf8))
        try? Data("theirs".utf8).write(to: url)
      }
    }
    #expect(error?.code == .changedExternally)
    #expect(try bytes == Array("theirs".utf8))
    #expect(try names == ["out.txt"])
  }
}
