import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The possible states after a crash in the file system in memory: the model on which all proofs of durability rely.
struct CrashModelTests {
  private let disk = InMemoryFileSystem(directories: ["/dir"])

  private func make(_ name: String, _ bytes: [UInt8], syncs: Bool = false) throws {
    let directory = try disk.openDirectory("/dir")
    let file = try disk.create(name, in: directory)
    _ = try bytes.withUnsafeBytes { try disk.write(file, $0) }
    if syncs { try disk.sync(file) }
    disk.close(file)
    disk.close(directory)
  }

  private func inDirectory(_ body: (OpenFile) throws -> Void) throws {
    let directory = try disk.openDirectory("/dir")
    defer { disk.close(directory) }
    try body(directory)
  }

  /// The contents of the possible disks.
  private func states(_ limits: InMemoryFileSystem.CrashLimits = .init()) -> Set<[String: [UInt8]]> {
    Set(disk.statesAfterCrash(limits).map(\.contents))
  }

  @Test func whatATestPutsThereIsDurable() {
    disk["/dir/a"] = [1, 2]
    disk.overwrite("/dir/a") { $0[0] = 9 }
    #expect(states() == [["/dir/a": [9, 2]]])
  }

  @Test func aNewFileIsThereInPartOrWithZerosOrNot() throws {
    try make("a", [1, 2])
    #expect(
      states() == [
        [:], ["/dir/a": []], ["/dir/a": [1]], ["/dir/a": [1, 2]], ["/dir/a": [0, 0]], ["/dir/a": [1, 0]],
        ["/dir/a": [0, 2]],
      ])
  }

  @Test func aSyncedFileIsNotThereWithoutItsDirectory() throws {
    try make("a", [1, 2], syncs: true)
    #expect(states() == [[:], ["/dir/a": [1, 2]]])
    try inDirectory { try disk.sync($0) }
    #expect(states() == [["/dir/a": [1, 2]]])
  }

  @Test func spaceBehindTheEndIsThereOrNot() throws {
    try make("a", [1], syncs: true)
    try inDirectory { try disk.sync($0) }
    try inDirectory { directory in
      let file = try disk.openLockFile("a", in: directory)
      _ = try [UInt8](arrayLiteral: 0, 0).withUnsafeBytes { try disk.write(file, $0, at: 1) }
      #expect(states() == [["/dir/a": [1]], ["/dir/a": [1, 0, 0]]])
      _ = try [UInt8](arrayLiteral: 2).withUnsafeBytes { try disk.write(file, $0, at: 1) }
      #expect(states() == [["/dir/a": [1]], ["/dir/a": [1, 0, 0]], ["/dir/a": [1, 2]], ["/dir/a": [1, 2, 0]]])
      try disk.syncData(file)
      #expect(states() == [["/dir/a": [1, 2, 0]]])
      disk.close(file)
    }
  }

  @Test func aRenameIsAtomicAndMayComeBeforeTheContent() throws {
    disk["/dir/a"] = [7]
    try make("b", [1], syncs: false)
    try inDirectory { try disk.sync($0) }
    try inDirectory { try disk.rename("b", to: "a", in: $0) }
    #expect(
      states() == [
        ["/dir/a": [7], "/dir/b": []], ["/dir/a": [7], "/dir/b": [0]], ["/dir/a": [7], "/dir/b": [1]],
        ["/dir/a": []], ["/dir/a": [0]], ["/dir/a": [1]],
      ])
  }

  @Test func changesOfNamesComeInEveryCombination() throws {
    disk["/dir/a"] = [7]
    try make("b", [], syncs: true)
    try make("c", [], syncs: true)
    try inDirectory { try disk.remove("a", in: $0) }
    let all: [[UInt8]?] = [[7], nil]
    let expected = all.flatMap { a in
      [true, false].flatMap { b in
        [true, false].map { c in
          ["/dir/a": a, "/dir/b": b ? [] : nil, "/dir/c": c ? [] : nil].compactMapValues { $0 }
        }
      }
    }
    #expect(states() == Set(expected))
  }

  @Test func oneMoreNameIsAChangeOfItsDirectory() throws {
    disk["/dir/a"] = [7]
    try inDirectory { directory in
      try disk.makeDirectory("sub", in: directory)
      let sub = try disk.openDirectory("sub", in: directory)
      try disk.link("a", in: directory, to: "b", in: sub)
      #expect(states() == [["/dir/a": [7]], ["/dir/a": [7], "/dir/sub/b": [7]]])
      // Without its directory the file cannot be reached.
      try disk.sync(sub)
      #expect(states() == [["/dir/a": [7]], ["/dir/a": [7], "/dir/sub/b": [7]]])
      try disk.sync(directory)
      #expect(states() == [["/dir/a": [7], "/dir/sub/b": [7]]])
    }
  }

  // After a failed sync the kernel may drop the pages and let the next sync succeed.
  @Test func aSyncAfterAFailedOneIsWorthNothing() throws {
    try inDirectory { directory in
      let file = try disk.create("a", in: directory)
      try disk.sync(directory)
      _ = try [UInt8](repeating: 1, count: 1).withUnsafeBytes { try disk.write(file, $0) }
      disk.injectFault { $0.name == "fsync" ? EIO : nil }
      #expect(throws: SystemError.self) { try disk.sync(file) }
      disk.injectFault(nil)
      try disk.sync(file)
    }
    #expect(states() == [["/dir/a": []], ["/dir/a": [0]], ["/dir/a": [1]]])
  }

  /// As Linux does it: each other descriptor of the file is told of the failure once.
  @Test func aFailedSyncIsToldToEachOtherDescriptorOnce() throws {
    try make("a", [1], syncs: true)
    try inDirectory { directory in
      let files = try (1...3).map { _ in try disk.openLockFile("a", in: directory) }
      disk.injectFault { $0.name == "fdatasync" ? EIO : nil }
      #expect(throws: SystemError.self) { try disk.syncData(files[0]) }
      disk.injectFault(nil)
      for file in files[1...] {
        #expect(throws: SystemError.self) { try disk.sync(file) }
        try disk.sync(file)
      }
      try disk.syncData(files[0])
      // One that is opened later knows nothing of it.
      let last = try disk.openLockFile("a", in: directory)
      try disk.sync(last)
      for file in files + [last] { disk.close(file) }
    }
  }

  @Test func theLimitsAreKept() throws {
    for number in 0..<12 { try make("\(number)", [1, 2, 3]) }
    let all = disk.statesAfterCrash()
    #expect(all.count == 4096)
    #expect(all.contains { $0.contents.isEmpty })
    let few = InMemoryFileSystem(directories: ["/dir"])
    let directory = try few.openDirectory("/dir")
    for number in 0..<12 { few.close(try few.create("\(number)", in: directory)) }
    // Every prefix, all but one, and each one alone; some of them are the same.
    #expect(few.statesAfterCrash().count == 13 + 11 + 11)
  }

  @Test func everyCallFailsAfterACrash() throws {
    disk["/dir/a"] = [1]
    let directory = try disk.openDirectory("/dir")
    disk.injectEvent { $0.name == "unlinkat" ? .crash : nil }
    #expect(throws: SystemError.self) { try disk.remove("a", in: directory) }
    disk.injectEvent(nil)
    #expect(throws: SystemError.self) { try disk.remove("a", in: directory) }
    #expect(disk["/dir/a"] == [1])
    #expect(disk.isCrashed)
    let state = try #require(disk.statesAfterCrash().first)
    #expect(state.openCount == 0)
    #expect(try state.resolve("/dir/a") == "/dir/a")
  }

  @Test func aRenameToItselfKeepsTheFile() throws {
    disk["/dir/a"] = [1]
    try inDirectory { try disk.rename("a", to: "a", in: $0) }
    #expect(disk["/dir/a"] == [1])
  }

  @Test func oneWriteIsCutShort() throws {
    disk.injectEvent { $0.number == 3 ? .shorten(to: 2) : nil }
    try make("a", [1, 2, 3])
    #expect(disk["/dir/a"] == [1, 2])
  }
}
