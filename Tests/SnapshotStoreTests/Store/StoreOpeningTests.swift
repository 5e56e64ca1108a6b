import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Opening makes a missing file, reads an existing one, and keeps its format.
struct StoreOpeningTests {
  @Test func aFileIsCreatedWhenThereIsNone() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    #expect(store.revision == 0)
    #expect(store.durableRevision == 0)
    #expect(store.url?.path == test.path)
    #expect(!store.status.isDirty)
    // Opening makes the file at once. A file that is missing later was therefore lost.
    #expect(try test.stored() == Counters())
    #expect(test.fileSystem.mode(of: test.path) == 0o600)
    #expect(test.paths == [test.path])
    #expect(test.openCount == 0)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aFileIsNotCreatedUnlessThatIsAllowed() throws {
    let test = StoreUnderTest()
    let options = StoreOptions(createsFile: false)
    let error = #expect(throws: SnapshotError.self) {
      try Store<Counters>.open(
        at: URL(fileURLWithPath: test.path), options: options, fileSystem: test.fileSystem, scheduler: test.scheduler)
    }
    #expect(error?.code == .fileNotFound)
    #expect(test.paths == [])
    try test.open(Counters.self).closeAndWait()
    let store = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: test.fileSystem, scheduler: test.scheduler)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aFileIsRead() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let test = StoreUnderTest()
      var counters = Counters()
      for id in 0..<100 { try counters.set(id, to: id * id) }
      let bytes = try SnapshotFile.encode(counters, as: format)
      test.bytes = bytes
      let store = try test.open(Counters.self)
      #expect(store.snapshot().value == counters)
      #expect(store.revision == 0)
      // Opening is no reason to write.
      #expect(test.bytes == bytes)
      #expect(test.replacements == 0)
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  @Test func theExtensionDecidesTheFormatOfANewFile() {
    each([
      ("/dir/store.json", FileFormat.json), ("/dir/store.JSON", .json), ("/dir/store.plist", .xml),
      ("/dir/store.xml", .xml), ("/dir/store.bplist", .binary), ("/dir/store.ndjson", .ndjson),
      ("/dir/store.jsonl", .ndjson), ("/dir/store", .json), ("/dir/store.txt", .json), ("/dir/.plist", .json),
      ("/dir/a.plist.json", .json),
    ]) { (path: String, format: FileFormat) throws in
      let test = StoreUnderTest(path: path)
      let store = try test.open(Counters.self)
      #expect(try FileFormat.open(#require(test.bytes)).0 == format)
      try store.write { try $0.set(1, to: 1) }
      try store.closeAndWait()
      #expect(try SnapshotSummary(of: #require(test.bytes)).format == format)
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  @Test func theFormatOfANewFileCanBeChosen() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let test = StoreUnderTest(path: "/dir/store.xml")
      let store = try test.open(Counters.self, format: format)
      try store.write { try $0.set(1, to: 1) }
      try store.closeAndWait()
      #expect(try SnapshotSummary(of: #require(test.bytes)).format == format)
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  // Renaming a file, or options for a new file, do not convert it to another format.
  @Test func aFileKeepsItsFormat() {
    each(FileFormat.allCases, ["/dir/store.json", "/dir/store.plist", "/dir/store.bplist", "/dir/store"]) {
      (format: FileFormat, path: String) throws in
      let test = StoreUnderTest(path: path)
      test.bytes = try SnapshotFile.encode(Counters(), as: format)
      for (value, other) in ([nil, .json, .xml] as [FileFormat?]).enumerated() {
        let store = try test.open(Counters.self, format: other)
        try store.write { try $0.set(1, to: value) }
        try store.closeAndWait()
        #expect(try SnapshotSummary(of: #require(test.bytes)).format == format)
        #expect(store.snapshot().value.allViolations() == [])
      }
    }
  }

  @Test func aSymbolicLinkIsFollowed() throws {
    let test = StoreUnderTest(path: "/dir/link")
    test.fileSystem["/dir/target.plist"] = try SnapshotFile.encode(Counters(), as: .xml)
    test.fileSystem.link("/dir/link", to: "/dir/target.plist")
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    try store.closeAndWait()
    #expect(test.fileSystem["/dir/link"] == nil)
    let target = try #require(test.fileSystem["/dir/target.plist"])
    #expect(try SnapshotFile.decode(Counters.self, from: target) == store.snapshot().value)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aStoreInMemoryHasNoFile() throws {
    let store = Store(Counters())
    try store.write { try $0.set(1, to: 1) }
    #expect(store.url == nil)
    #expect(store.revision == 1)
    #expect(store.durableRevision == 1)
    #expect(!store.status.isDirty)
    try store.flushAndWait()
    try store.closeAndWait()
    #expect(throws: SnapshotError.self) { try store.write { try $0.set(1, to: 2) } }
    #expect(store.snapshot().value.allViolations() == [])
  }

  // MARK: Folders

  @Test func missingFoldersAreCreatedOnRequest() throws {
    let test = StoreUnderTest()
    let url = URL(fileURLWithPath: "/dir/a/b/c/store.json")
    var options = StoreOptions(policy: .manual)
    func open() throws -> Store<Counters> {
      try .open(at: url, options: options, fileSystem: test.fileSystem, scheduler: test.scheduler)
    }
    let error = #expect(throws: SnapshotError.self) { try open() }
    #expect(error?.code == .fileNotFound)
    options.createsFolders = true
    options.createsFile = false
    #expect(throws: SnapshotError.self) { try open() }
    #expect(test.paths.isEmpty)
    options.createsFile = true
    for value in 1...2 {
      let store = try open()
      try store.write { try $0.set(value, to: value) }
      try store.closeAndWait()
    }
    // Nothing of it is lost by a power cut.
    for disk in test.fileSystem.statesAfterCrash() {
      let store = try Store<Counters>.open(at: url, options: options, fileSystem: disk, scheduler: test.scheduler)
      #expect(store.read { $0.left.count } == 2)
    }
    #expect(test.openCount == 0)
  }

  @Test func foldersAreCreatedOnADisk() throws {
    try FolderUnderTest.with(.real) { folder in
      let options = StoreOptions(policy: .manual, createsFolders: true)
      let store = try Store<Counters>.open(at: folder.url("new/../new//deep/store.json") as URL, options: options)
      try store.write { try $0.set(1, to: 1) }
      try store.closeAndWait()
      #expect(try Store<Counters>.open(at: folder.url("new/deep/store.json") as URL).left[1]?.value == 1)
    }
  }

  // A file is on the way, or a link to nothing.
  @Test func noFolderIsCreatedBesideAFile() throws {
    let test = StoreUnderTest()
    test.fileSystem["/dir/file"] = [1]
    let options = StoreOptions(policy: .manual, createsFolders: true)
    let error = #expect(throws: SnapshotError.self) {
      try Store<Counters>.open(
        at: URL(fileURLWithPath: "/dir/file/sub/store.json"), options: options, fileSystem: test.fileSystem,
        scheduler: test.scheduler)
    }
    #expect(error?.code == .notRegularFile)
    #expect(test.paths == ["/dir/file"] && test.openCount == 0)
  }
}
