import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Older versions of the file: when one is kept, which, and for how long.
struct GenerationTests {
  static func value(of generation: Generation, in test: StoreUnderTest) throws -> Int? {
    let path = "/dir/.store.json.generations/\(generation.url.lastPathComponent)"
    return try SnapshotFile.decode(Counters.self, from: #require(test.fileSystem[path])).left[1]?.value
  }

  /// Saves one value after the other, with time in between.
  static func save(_ values: ClosedRange<Int>, in test: StoreUnderTest, every time: Duration) throws {
    let store = try test.open(Counters.self, .manual)
    for value in values {
      try store.write { try $0.set(1, to: value) }
      try store.flushAndWait()
      test.scheduler.advance(by: time)
    }
    try store.closeAndWait()
  }

  @Test func oneInAnHourAndThreeInAll() throws {
    let test = StoreUnderTest()
    // Every ten minutes for ten hours. One of an hour's six is kept, and never the empty file of the beginning.
    try Self.save(1...60, in: test, every: .seconds(600))
    let generations = try test.generations
    #expect(generations.map(\.number) == [10, 9, 8])
    #expect(try generations.map { try Self.value(of: $0, in: test) } == [55, 49, 43])
    #expect(zip(generations, generations.dropFirst()).allSatisfy { $0.date.timeIntervalSince($1.date) == 3600 })
    #expect(try test.stored().left[1]?.value == 60)
    #expect(test.openCount == 0)
  }

  @Test(arguments: [
    Generation.Policy.none, Generation.Policy(count: 1, interval: .zero), Generation.Policy(count: 5, interval: .zero),
  ])
  func thePolicySaysHowMany(_ policy: Generation.Policy) throws {
    let test = StoreUnderTest()
    var options = StoreOptions(policy: .manual)
    options.generations = policy
    let store = try test.open(Counters.self, options)
    for value in 1...10 {
      try store.write { try $0.set(1, to: value) }
      try store.flushAndWait()
    }
    #expect(try test.generations.map { try Self.value(of: $0, in: test) } == (0..<policy.count).map { 9 - $0 })
    try store.closeAndWait()
  }

  // The newest file before each migration stays, however many others are made and removed.
  @Test func thatOfBeforeAMigrationStays() throws {
    let test = StoreUnderTest()
    let old = try SnapshotFile.encode(try Library.V1.random(seed: 3, count: 5), as: .json)
    var options = StoreOptions(policy: .manual)
    options.generations = Generation.Policy(count: 2, interval: .zero)
    for round in 1...2 {
      test.bytes = old
      let store = try test.open(Library.Today.self, options)
      for id in 1...9 {
        let loan = Library.Loan(id: Int64(1_000_000 + id), title: "", borrower: "\(round)")
        try store.write { try $0.loans.insert(loan) }
        try store.flushAndWait()
      }
      try store.closeAndWait()
      let generations = try test.generations
      #expect(generations.map(\.migratedVersion) == [nil, nil, 1])
      let kept = try #require(generations.last?.url.lastPathComponent)
      #expect(kept.hasSuffix("Z_v1.json"))
      #expect(test.fileSystem["/dir/.store.json.generations/\(kept)"] == old)
    }
    #expect(try test.generations.last?.number == 10)
  }

  // Whatever the machine's clock shows, generations are listed, restored, and removed in their turn.
  @Test func aClockFarAwayHidesNothing() {
    each([252_423_993_600, 1_266_032_803_200, -63_114_076_801, -500_000_000_000, 9e15, 1e300, -1e300] as [Double]) {
      (date: TimeInterval) throws in
      let test = StoreUnderTest()
      test.scheduler.date = Date(timeIntervalSinceReferenceDate: date)
      var options = StoreOptions(policy: .manual)
      options.generations = Generation.Policy(count: 2, interval: .zero)
      let store = try test.open(Counters.self, options)
      for value in 1...6 {
        try store.write { try $0.set(1, to: value) }
        try store.flushAndWait()
      }
      try store.closeAndWait()
      let names = test.fileSystem.paths.filter { $0.contains(".generations/") }
      #expect(try test.generations.map { try Self.value(of: $0, in: test) } == [5, 4], "\(names)")
      #expect(names.count == 2, "\(names)")
    }
  }

  // Several restores are not removed by the saves that follow at once: each stays as long as one that a save kept.
  @Test func whatWasKeptOnRequestStaysAsLongAsAnyOther() throws {
    let test = StoreUnderTest()
    try Self.save(1...2, in: test, every: .seconds(4000))
    for _ in 1...9 {
      _ = try SnapshotFile.restore(
        try #require(try test.generations.last), as: Counters.self, at: test.path, limits: ReadLimits(),
        on: test.fileSystem, date: test.scheduler.date)
    }
    let stacked = try test.generations.count
    #expect(stacked == 10)
    try Self.save(3...5, in: test, every: .seconds(3600))
    #expect(try test.generations.count > stacked)
    // Three hours later they have existed as long as three generations that are an hour apart.
    try Self.save(6...8, in: test, every: .seconds(3600))
    #expect(try test.generations.count == 3)
  }

  @Test func namesSayFromWhichVersion() {
    each([
      ("000001_2026-01-01T00.00.00Z.json", nil), ("000001_2026-01-01T00.00.00Z", nil),
      ("000001_2026-01-01T00.00.00Z_v12.json", 12), ("000001_2026-01-01T00.00.00Z_v3", 3),
      ("000001_2026-01-01T00.00.00Z_vx.json", nil), ("000001_2026-01-01T00.00.00Z.a_v3", nil),
    ]) { (name: String, version: Int?) throws in
      let generation = try #require(Generation(fileName: name, in: "/dir"))
      #expect(generation.number == 1)
      #expect(generation.migratedVersion == version)
      #expect(
        !name.hasSuffix(".json") || version == nil && name.contains("_v")
          || Generation.fileName(number: 1, date: generation.date, migratedVersion: version, of: "a.json") == name)
    }
  }

  // Another store, another day: the file that it opened is kept at its first save.
  @Test func whatWasOpenedIsKept() throws {
    let test = StoreUnderTest()
    try Self.save(1...1, in: test, every: .seconds(86_400))
    try Self.save(2...2, in: test, every: .zero)
    #expect(try test.generations.map { try Self.value(of: $0, in: test) } == [1])
    // A save that is skipped, and one that fails, keep nothing.
    test.scheduler.advance(by: .seconds(86_400))
    let store = try test.open(Counters.self, .manual)
    try store.write { try $0.set(1, to: 2) }
    try store.flushAndWait()
    test.setDiskFull(true)
    try store.write { try $0.set(1, to: 3) }
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(try test.generations.count == 1)
    test.setDiskFull(false)
    try store.closeAndWait()
    #expect(try test.generations.map { try Self.value(of: $0, in: test) } == [2, 1])
  }

  @Test(arguments: [-1_000_000.0, 1_000_000])
  func aClockThatJumpsStopsNothing(_ seconds: TimeInterval) throws {
    let test = StoreUnderTest()
    try Self.save(1...2, in: test, every: .seconds(4000))
    test.scheduler.date += seconds
    try Self.save(3...4, in: test, every: .seconds(4000))
    let generations = try test.generations
    #expect(try generations.map { try Self.value(of: $0, in: test) } == [3, 2, 1])
    #expect(generations.map(\.number) == [3, 2, 1])
  }

  // An external change while the store was open is not the store's to keep or to replace.
  @Test func onlyWhatWasVerifiedIsKept() throws {
    let test = StoreUnderTest()
    try Self.save(1...2, in: test, every: .seconds(4000))
    let store = try test.open(Counters.self, .manual)
    test.bytes = Array("not a snapshot".utf8)
    try store.write { try $0.set(1, to: 3) }
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(try test.generations.count == 1)
    #expect(test.bytes == Array("not a snapshot".utf8))
  }

  // An editor that writes into the file in place does not reach the generation.
  @Test func aGenerationIsAFileOfItsOwn() throws {
    let test = StoreUnderTest()
    try Self.save(1...3, in: test, every: .seconds(4000))
    test.fileSystem.overwrite(test.path) { $0 = Array("scribble".utf8) }
    #expect(try test.generations.map { try Self.value(of: $0, in: test) } == [2, 1])
  }

  // A file system without hard links copies. A folder that cannot be made loses the generation, but not the save.
  @Test func withoutHardLinksItIsCopied() {
    each([EPERM, ENOTSUP, EMLINK, EXDEV]) { (number: Int32) throws in
      let test = StoreUnderTest()
      test.fileSystem.injectFault { $0.name == "linkat" ? number : nil }
      try Self.save(1...3, in: test, every: .seconds(4000))
      #expect(try test.generations.map { try Self.value(of: $0, in: test) } == [2, 1])
      #expect(test.openCount == 0)
    }
  }

  @Test(arguments: ["mkdirat", "linkat", "readdir"])
  func aSaveDoesNotFailWithItsGeneration(_ call: String) throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .manual)
    try store.write { try $0.set(1, to: 0) }
    try store.flushAndWait()
    test.fileSystem.injectFault { $0.name == call ? ENOSPC : nil }
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    #expect(try test.stored().left[1]?.value == 1)
    #expect(store.status.generationError?.systemError == ENOSPC)
    test.fileSystem.injectFault(nil)
    try store.write { try $0.set(1, to: 2) }
    try store.flushAndWait()
    #expect(store.status.generationError == nil)
    #expect(try test.generations.map { try Self.value(of: $0, in: test) } == [1])
    try store.closeAndWait()
  }

  @Test func otherFilesInTheFolderAreLeftAlone() throws {
    let test = StoreUnderTest()
    try Self.save(1...1, in: test, every: .seconds(4000))
    let strangers = ["notes.txt", "000001_x.json", "_2026-01-01T00.00.00Z.json", "000002_2026-13-41T00.00.00Z.json"]
    for name in strangers { test.fileSystem["/dir/.store.json.generations/\(name)"] = [1] }
    try Self.save(2...9, in: test, every: .seconds(4000))
    #expect(try test.generations.count == 3)
    for name in strangers { #expect(test.fileSystem["/dir/.store.json.generations/\(name)"] == [1]) }
  }

  // Whatever the folder contains, there is a next number.
  @Test func noNameStopsASave() {
    each(["9223372036854775807", "999999999", "+5", "٣"]) { (number: String) throws in
      let test = StoreUnderTest()
      try Self.save(1...1, in: test, every: .seconds(4000))
      test.fileSystem["/dir/.store.json.generations/\(number)_2020-01-01T00.00.00Z.json"] = [1]
      try Self.save(2...3, in: test, every: .seconds(4000))
      #expect(try test.stored().left[1]?.value == 3)
    }
  }

  // Similar names are those of different files, and so are their generations.
  @Test func longNamesHaveFoldersOfTheirOwn() throws {
    let tests = ["a", "b"].map { StoreUnderTest(path: "/dir/" + String(repeating: "年", count: 70) + $0 + ".json") }
    let fileSystem = tests[0].fileSystem
    for test in tests {
      for value in 1...2 {
        let store = try Store<Counters>.open(
          at: URL(fileURLWithPath: test.path), options: StoreOptions(policy: .manual), fileSystem: fileSystem,
          scheduler: tests[0].scheduler)
        try store.write { try $0.set(1, to: value) }
        try store.closeAndWait()
      }
    }
    let folders = Set(fileSystem.paths.filter { $0.contains(".generations/") }.map { $0.split(separator: "/")[1] })
    #expect(folders.count == 2)
    #expect(folders.allSatisfy { $0.utf8.count <= 255 })
  }
}
