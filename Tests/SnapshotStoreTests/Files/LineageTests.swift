import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The files that a lineage proves, and its line in the lock file.
struct LineageTests {
  private static func status(_ inode: UInt64, size: Int = 10, modified: Int64 = 0) -> FileStatus {
    FileStatus(
      kind: .regular, size: size, mode: 0o600, owner: 0, group: 0, device: 1, inode: inode, links: 1,
      modified: modified)
  }

  @Test func aFileOfAnotherProgramHasNoProof() throws {
    let first = Self.status(1)
    var lineage = Lineage(run: 7, file: first)
    let opened = lineage
    #expect(lineage.continued(with: first) == lineage)
    for other in [Self.status(2), Self.status(1, size: 11), Self.status(1, modified: 1), nil] {
      #expect(lineage.continued(with: other) == nil)
    }
    lineage.prepare(Self.status(2))
    #expect(lineage.continued(with: first)?.number == 0)
    // The process was killed behind the rename.
    let completed = try #require(lineage.continued(with: Self.status(2)))
    lineage.advance(to: Self.status(2))
    #expect(completed == lineage)
    #expect(lineage.descends(from: opened) && !opened.descends(from: lineage))
    #expect(!lineage.descends(from: Lineage(run: 8, file: first)))
    #expect(lineage.continued(with: first) == nil)
  }

  /// The store that meets the file of another program saves what it was made from, and what it knows itself.
  @Test func aSaveOverAnotherProgramsFileMayLackOthers() {
    var lineage = Lineage(run: 7, file: Self.status(1))
    var known = [lineage]
    for number in 2...5 {
      lineage.save(Self.status(UInt64(number)))
      known.append(lineage)
    }
    var foreign = lineage.withForeignFile(Self.status(9))
    for old in known { #expect(!foreign.descends(from: old)) }
    #expect(foreign.descends(from: foreign))
    #expect(!foreign.descends(from: lineage.withForeignFile(Self.status(8))))
    // It is saved by a store that does not know the last two saves.
    foreign.overwrite(3...4)
    foreign.save(Self.status(10))
    #expect(known.map { foreign.descends(from: $0) } == [true, true, true, false, false])
    #expect(foreign.lastMerge == 5 && foreign.number == 5 && !foreign.isForeign)
    // One that knows the last save, but has not read the file before another program took its place.
    #expect(foreign.descends(from: known[4], without: 4...4) == false)
    #expect(foreign.descends(from: known[4], without: 2...4))
    #expect(!foreign.descends(from: known[4], without: 0...4))
    foreign.save(Self.status(11))
    #expect(foreign.lastMerge == 5 && foreign.overwritten == 3...4)
  }

  @Test func theLineIsReadAgain() {
    var lineages = [Lineage(run: .max, file: nil), Lineage(run: 0, file: Self.status(1))]
    var longest = Lineage(run: .max, file: Self.status(.max, size: .max, modified: .min))
    longest.prepare(Self.status(.max, size: .max, modified: .min))
    longest.journal = Lineage.JournalEnd(size: .max, number: .max, sum: .max)
    longest.fold = Lineage.Fold(journal: .max, checksum: .max)
    let most = Int(UInt32.max)
    longest.overwrite(most - 1...most)
    lineages.append(longest)
    var foreign = Lineage(run: 1, file: Self.status(1)).withForeignFile(Self.status(2))
    lineages += [foreign, foreign.withForeignFile(nil)]
    foreign.overwrite(0...0)
    foreign.save(Self.status(3))
    lineages.append(foreign)
    for lineage in lineages {
      #expect(Lineage(line: Array(lineage.text.utf8)[...]) == lineage)
      #expect(lineage.text.utf8.count < LockText.length)
      #expect(LockText.lineage(in: LockText.own() + LockText.line(lineage.text)) == lineage)
      #expect(LockText.content(of: LockText.own() + LockText.line(lineage.text)) == .text)
    }
  }

  @Test func damagedLinesProveNothing() {
    let text = Lineage(run: 12, file: Self.status(1)).text
    for length in 0..<text.count { #expect(Lineage(line: Array(text.utf8).prefix(length)) == nil) }
    for strange in ["", "Saves: ", "Saves: 1 2 file - next - journal 1 2", text + " file -", text + " x"] {
      #expect(Lineage(line: Array(strange.utf8)[...]) == nil, "\(strange)")
    }
    // No number of saves, and no size, is like that.
    for strange in [
      "7fffffffffffffff file - next - journal - fold - others - 0", "-1 file - next - journal - fold - others - 0",
      "1 file 1 -5 1 next - journal - fold - others - 0", "1 file - next - journal -5 1 1 fold - others - 0",
      "1 file - next - journal 5 -1 1 fold - others - 0", "1 file - next - journal - fold - others x 0",
      "1 file - next - journal - fold - others - -1", "1 file - next - journal - fold - others - 0 1",
      "1 file - next - journal - fold - others - 0 2 1", "1 file - next - journal - fold - others -",
    ] { #expect(Lineage(line: Array("Saves: 1 \(strange)".utf8)[...]) == nil, "\(strange)") }
    #expect(Lineage(line: Array("Saves: 1 1 file - next - journal 5 1 1 fold - others - 0".utf8)[...]) != nil)
    let own = LockText.own()
    #expect(LockText.lineage(in: own) == nil)
    #expect(LockText.content(of: own + Array("a note".utf8)) == .other)
    #expect(LockText.content(of: own + [UInt8](repeating: 0, count: 256)) == .text)
    #expect(LockText.content(of: own + LockText.line(text) + [0x0A]) == .other)
    // A write that was cut off.
    for length in 1..<256 { #expect(LockText.content(of: own + LockText.line(text).prefix(length)) == .text) }
  }

  // MARK: Saves

  /// The lineage in the lock file, and whether it knows the file in place.
  private func stored(_ disk: InMemoryFileSystem, _ path: String) throws -> (lineage: Lineage, isProof: Bool) {
    let bytes = try #require(disk["/dir/.store.json.lock"])
    let lineage = try #require(LockText.lineage(in: bytes))
    let status = try? disk.status(at: path)
    return (lineage, lineage.continued(with: status) == lineage)
  }

  private func stored(_ test: StoreUnderTest) throws -> (lineage: Lineage, isProof: Bool) {
    try stored(test.fileSystem, test.path)
  }

  @Test func eachSaveSaysHowFarItWent() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .journaled())
    let first = try stored(test)
    #expect(first.isProof && first.lineage.journal == nil)
    for value in 1...3 {
      try store.write { try $0.set(value, to: value) }
      try store.flushAndWait()
      let (lineage, isProof) = try stored(test)
      let journal = try #require(test.journal)
      #expect(isProof && lineage.descends(from: first.lineage) && lineage.number == first.lineage.number)
      #expect(lineage.journal?.size == journal.count)
      #expect(lineage.journal?.number == value)
    }
    try store.flushAndWait(folding: true)
    let folded = try stored(test)
    #expect(folded.isProof && folded.lineage.journal == nil && folded.lineage.number == first.lineage.number + 1)
    try store.closeAndWait()
    #expect(test.paths == [test.path])
  }

  @Test func theNextProcessGoesOnUnlessAnotherProgramHasWritten() throws {
    for isForeign in [false, true] {
      let test = StoreUnderTest()
      let store = try test.open(Counters.self)
      try store.write { try $0.set(1, to: 1) }
      try store.flushAndWait()
      let before = try stored(test).lineage
      // The process is killed.
      let disk = test.fileSystem.copyOfFiles()
      if isForeign { disk[test.path] = disk[test.path] }
      let next = try Store<Counters>.open(
        at: URL(fileURLWithPath: test.path), options: StoreOptions(), fileSystem: disk, scheduler: ManualScheduler())
      let (lineage, isProof) = try stored(disk, test.path)
      #expect(isProof)
      #expect(lineage.descends(from: before) == !isForeign)
      try next.closeAndWait()
      withExtendedLifetime(store) {}
    }
  }
}

extension Lineage {
  /// The announcement of a version, and its replacement.
  fileprivate mutating func save(_ status: FileStatus) {
    prepare(status)
    advance(to: status)
  }
}
