import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Existing files that cannot be read: never taken for an empty store, never changed.
struct StoreRefusedFileTests {
  struct Damage: CustomTestStringConvertible, Sendable {
    let name: String
    let codes: [SnapshotError.Code]
    let apply: @Sendable ([UInt8]) -> [UInt8]

    var testDescription: String { name }
  }

  static let damages = [
    Damage(name: "empty", codes: [.emptyFile]) { _ in [] },
    Damage(name: "white space", codes: [.unknownFormat]) { _ in Array(" \n\n".utf8) },
    Damage(name: "zeros", codes: [.unknownFormat]) { Array(repeating: 0, count: $0.count) },
    Damage(name: "text", codes: [.unknownFormat]) { _ in Array("Dear diary,".utf8) },
    Damage(name: "cut off", codes: [.malformed, .checksumMismatch]) { Array($0.prefix(2 * $0.count / 3)) },
  ]

  @Test func aDamagedFileIsRefusedAndKept() {
    each(Self.damages, FileFormat.allCases) { (damage: Damage, format: FileFormat) throws in
      var counters = Counters()
      for id in 0..<20 { try counters.set(id, to: id) }
      let bytes = damage.apply(try SnapshotFile.encode(counters, as: format))
      for policy in [SavePolicy.automatic(), .immediate, .manual, .readOnly] {
        let test = StoreUnderTest()
        test.bytes = bytes
        let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self, policy) }
        #expect(error.map { damage.codes.contains($0.code) } == true)
        #expect(error?.path == test.path)
        #expect(test.bytes == bytes)
        #expect(test.paths == [test.path])
        #expect(test.openCount == 0)
      }
    }
  }

  @Test func aChangedByteIsRefused() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var counters = Counters()
      for id in 0..<20 { try counters.set(id, to: id) }
      let bytes = try SnapshotFile.encode(counters, as: format)
      for index in Proofs.share(of: bytes.indices, oneIn: 10) {
        let test = StoreUnderTest()
        var damaged = bytes
        damaged[index] ^= 1
        test.bytes = damaged
        #expect(throws: SnapshotError.self, "byte \(index)") { try test.open(Counters.self) }
        #expect(test.bytes == damaged)
      }
    }
  }

  @Test func aFileOfAnotherSchemaIsRefused() throws {
    let test = StoreUnderTest()
    let bytes = try SnapshotFile.encode(Notebook(), as: .json)
    test.bytes = bytes
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self) }
    #expect(error?.code == .wrongSchema)
    #expect(error?.advice?.contains("model") == true)
    #expect(test.bytes == bytes)
  }

  @Test func contentThatWouldBeLostAtTheNextSaveIsRefused() {
    each([
      (#"{"snapshot":{"schema":"counters","version":2}}"#, SnapshotError.Code.newerVersion),
      (#"{"snapshot":{"schema":"counters","version":1,"color":"red"},"left":[]}"#, .unknownKey),
      (#"{"snapshot":{"schema":"counters","version":1},"left":[{"id":1,"value":1},{"id":1,"value":1}]}"#, .duplicate),
      (#"{"snapshot":{"schema":"counters","version":1},"left":[{"id":1,"value":"one"}]}"#, .invalidValue),
      (#"{"snapshot":{"schema":"counters","version":1},"left":[{"id":1}]}"#, .missingKey),
      (#"{"left":[]}"#, .wrongSchema),
      (#"{}"#, .wrongSchema),
    ]) { (text: String, code: SnapshotError.Code) throws in
      let test = StoreUnderTest()
      test.bytes = Array(text.utf8)
      let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self) }
      #expect(error?.code == code)
      #expect(error?.path == test.path)
      #expect(test.bytes == Array(text.utf8))
    }
  }

  @Test func aFileBeyondTheLimitIsRefused() throws {
    let test = StoreUnderTest()
    let bytes = try SnapshotFile.encode(Counters(), as: .json)
    test.bytes = bytes
    let options = StoreOptions(limits: ReadLimits(fileSize: bytes.count - 1))
    let error = #expect(throws: SnapshotError.self) {
      try Store<Counters>.open(
        at: URL(fileURLWithPath: test.path), options: options, fileSystem: test.fileSystem, scheduler: test.scheduler)
    }
    #expect(error?.code == .tooLarge)
    #expect(test.bytes == bytes)
  }

  @Test func whatIsNoFileIsRefused() throws {
    let test = StoreUnderTest(path: "/dir")
    #expect(throws: SnapshotError.self) { try test.open(Counters.self) }
    let link = StoreUnderTest(path: "/dir/link")
    link.fileSystem.link("/dir/link", to: "/dir/nothing")
    let dangling = #expect(throws: SnapshotError.self) { try link.open(Counters.self) }
    #expect(dangling?.code == .notRegularFile)
    let missing = #expect(throws: SnapshotError.self) { try StoreUnderTest(path: "/no/store").open(Counters.self) }
    #expect(missing?.code == .fileNotFound)
    let web = try #require(URL(string: "https://example.com/store.json"))
    let remote = #expect(throws: SnapshotError.self) { try Store<Counters>.open(at: web) }
    #expect(remote?.code == .fileNotFound)
  }

  // An input error is an error, not a missing file.
  @Test func everyCallOfOpeningMayFail() throws {
    for number in 1...50 {
      let test = StoreUnderTest()
      let bytes = try SnapshotFile.encode(Counters(), as: .json)
      test.bytes = bytes
      let count = FaultCounter(failing: number)
      test.fileSystem.injectFault { _ in count.next() }
      let result = Result { try test.open(Counters.self) }
      #expect(test.bytes == bytes)
      #expect(test.openCount == 0)
      #expect(test.replacements == 0)
      if let store = try? result.get() {
        #expect(store.snapshot().value.allViolations() == [])
        return
      }
      let error = #expect(throws: SnapshotError.self) { try result.get() }
      #expect(error?.code == .ioFailed)
      #expect(error?.systemError == EIO)
    }
    Issue.record("opening never succeeded")
  }

  // Making a store on a full disk leaves no file that would disturb a later opening.
  @Test func aStoreThatCouldNotBeCreatedLeavesNothing() throws {
    let test = StoreUnderTest()
    test.setDiskFull(true)
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self) }
    #expect(error?.systemError == ENOSPC)
    #expect(test.paths == [])
    test.setDiskFull(false)
    let store = try test.open(Counters.self)
    #expect(store.snapshot().value.allViolations() == [])
  }
}
