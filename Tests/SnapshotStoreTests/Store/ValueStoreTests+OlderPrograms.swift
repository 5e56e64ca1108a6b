import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Other versions of a program beside the journal of a value.
extension ValueStoreTests {
  /// A program of before the property was renamed.
  private func journalOfAnOldProgram() throws -> InMemoryFileSystem {
    let store = try open(OldName(), .exclusive, .beside())
    try store.write { $0.oldName = "b" }
    try store.flushAndWait()
    return test.fileSystem.copyOfFiles()
  }

  /// The new key counts, and the old one if there is none.
  struct NewNameFirst: Codable, Equatable, Sendable {
    var name = ""

    init(name: String) { self.name = name }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Renamed.CodingKeys.self)
      let new = try container.decodeIfPresent(String.self, forKey: .name)
      name = try new ?? container.decodeIfPresent(String.self, forKey: .oldName) ?? ""
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Renamed.CodingKeys.self)
      try container.encode(name, forKey: .name)
    }
  }

  /// A line names the keys of the program that wrote it, which may not be those of this one.
  @Test func theLinesOfAnOlderProgramAreReadWithItsKeys() throws {
    #expect(try reopened(NewNameFirst(name: ""), on: journalOfAnOldProgram()).name == "b")
  }

  @Test func theLinesOfAnOlderProgramAreReadByOneThatPrefersItsKeys() throws {
    #expect(try reopened(Renamed(name: ""), on: journalOfAnOldProgram()).name == "b")
  }

  /// The same if one line in the middle is damaged.
  @Test func theOtherLinesOfAnOlderProgramAreReadWithItsKeys() throws {
    let old = try open(OldName(), .exclusive, .beside())
    for text in ["b", "c", "d"] {
      try old.write { $0.oldName = text }
      try old.flushAndWait()
    }
    let disk = test.fileSystem.copyOfFiles()
    let path = "/dir/.store.json.journal"
    let journal = String(decoding: try #require(disk[path]), as: UTF8.self)
    #expect(journal.contains(#""oldName":"c""#))
    disk[path] = Array(journal.replacing(#""oldName":"c""#, with: #""oldName":"x""#).utf8)
    let store = try reopened(NewNameFirst(name: ""), on: disk, recovery: .generations)
    #expect(store.name == "d")
    #expect(store.openReport?.journal?.changes == 2 && store.openReport?.journal?.lostLines == 1)
  }

  /// The same if the file was edited, and nobody has what both were made from.
  @Test func theLinesOfAnOlderProgramAreMergedWithItsKeys() throws {
    _ = try journalOfAnOldProgram()
    let disk = try diskWithoutBase(edit: ("\"oldName\"", "\"oldName\""))
    #expect(try reopened(NewNameFirst(name: ""), on: disk).name == "b")
  }

  /// The same while both programs have the file, and a third one edits it.
  @Test(arguments: [false, true]) func theLinesOfAnOlderProgramAreTakenWithItsKeys(isEdited: Bool) throws {
    let (old, new) = (try open(OldName(), .shared, .beside()), try open(NewNameFirst(name: ""), .shared, .beside()))
    try old.write { $0.oldName = "b" }
    try old.flushAndWait()
    if isEdited { edit("\"oldName\"", "\"extra\":1,\n\"oldName\"") }
    test.scheduler.advance(by: .seconds(30))
    new.checkFileAndWait()
    #expect(new.name == "b")
  }

  struct OldNote: Codable, Equatable, Sendable {
    var size = 1
    var oldName: String?
  }

  /// It prefers the old key, and writes the new one only.
  struct NewNote: Codable, Equatable, Sendable {
    var size = 1
    var name = ""

    enum CodingKeys: CodingKey { case size, name, oldName }
    init(size: Int = 1, name: String = "") { (self.size, self.name) = (size, name) }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      size = try container.decode(Int.self, forKey: .size)
      let new = try container.decodeIfPresent(String.self, forKey: .name)
      name = try container.decodeIfPresent(String.self, forKey: .oldName) ?? new ?? ""
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(size, forKey: .size)
      try container.encode(name, forKey: .name)
    }
  }

  /// No line can say that the old key of another line is gone.
  @Test(arguments: [StoreAccess.exclusive, .shared]) func anOldKeyOfALineIsGoneWithTheFirstSave(
    _ access: StoreAccess
  ) throws {
    let old = try open(OldNote(), access, .beside())
    try old.write { $0.oldName = "a" }
    try old.flushAndWait()
    if access == .exclusive { old.saver?.inTurn { old.saver?.file.session.close() } }
    let new = try open(NewNote(), access, .beside())
    #expect(new.name == "a")
    try new.write { $0.name = "b" }
    try new.flushAndWait()
    #expect(try reopened(NewNote(), on: test.fileSystem.copyOfFiles()).name == "b")
  }

  /// A peer has written the file without the old key, and a line with the new one.
  @Test func aFoldForgetsTheOldKeys() throws {
    let old = try open(OldNote(), .shared, .beside())
    let (b, c) = (try open(NewNote(), .shared, .beside()), try open(NewNote(), .shared, .beside()))
    try old.write { $0.oldName = "a" }
    try old.flushAndWait()
    for store in [b, c] {
      test.scheduler.advance(by: .seconds(30))
      store.checkFileAndWait()
    }
    try b.flushAndWait(folding: true)
    try b.write { $0.name = "z" }
    try b.flushAndWait()
    c.checkFileAndWait()
    #expect(c.name == "z")
    try c.write { $0.size = 2 }
    try c.flushAndWait()
    #expect(try reopened(NewNote(), on: test.fileSystem.copyOfFiles()).name == "z")
  }

  /// The same for a peer that reads the old line, the fold and the new line at once.
  @Test func aFoldThatIsReadLateForgetsTheOldKeys() throws {
    let b = try open(NewNote(), .shared, .beside())
    try b.write { $0.size = 3 }
    try b.flushAndWait(folding: true)
    let (old, c) = (try open(OldNote(), .shared, .beside()), try open(NewNote(), .shared, .beside()))
    try old.write { $0.oldName = "a" }
    try old.flushAndWait()
    b.checkFileAndWait()
    try b.flushAndWait(folding: true)
    try b.write { $0.name = "z" }
    try b.flushAndWait()
    c.checkFileAndWait()
    #expect(c.name == "z")
    try c.write { $0.size = 2 }
    try c.flushAndWait(folding: true)
    #expect(try reopened(NewNote(), on: test.fileSystem.copyOfFiles()).name == "z")
  }

  /// A fold by a newer program is not what the lines of the older one say. The older one reads it.
  @Test func aFoldThatRenamesIsRead() throws {
    let b = try open(NewNote(), .shared, .beside())
    try b.write { $0.size = 3 }
    try b.flushAndWait(folding: true)
    let old = try open(OldNote(), .shared, .beside())
    try old.write { $0.oldName = "a" }
    try old.flushAndWait()
    b.checkFileAndWait()
    try b.flushAndWait(folding: true)
    old.checkFileAndWait()
    try b.write { $0.name = "z" }
    try b.flushAndWait()
    old.checkFileAndWait()
    try old.write { $0.size = 4 }
    try old.flushAndWait(folding: true)
    #expect(try reopened(NewNote(), on: test.fileSystem.copyOfFiles()).name == "z")
  }

  /// A property that was set and set back is in the file, and an old key does not count any more.
  @Test func aPropertyThatWasSetBackIsWritten() throws {
    let old = try open(OldNote(), .shared, .beside())
    let new = try open(NewNameFirst(name: ""), .shared, .beside())
    for text in ["x", ""] {
      try new.write { $0.name = text }
      try new.flushAndWait()
    }
    try old.write { $0.oldName = "g" }
    try old.flushAndWait()
    #expect(try reopened(NewNameFirst(name: ""), on: test.fileSystem.copyOfFiles()).name == "")
    new.checkFileAndWait()
    #expect(new.name == "")
  }
}
