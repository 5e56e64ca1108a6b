import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Paths are bytes to the system and characters to Swift. These names differ between the two views.
struct FileNameBytesTests {
  // A slash and a combining mark after it are one character. Yet the slash ends the directory's name.
  @Test func aNameMayBeginWithACombiningMark() {
    each(FolderUnderTest.Kind.allCases, ["\u{301}name", "\u{200D}name", "\u{FE0F}"]) {
      (kind: FolderUnderTest.Kind, name: String) throws in
      try FolderUnderTest.with(kind) { folder in
        for bytes: [UInt8] in [[1], [2]] {
          let location = try folder.location(name)
          #expect(location.directory == folder.path)
          #expect(location.name.utf8.elementsEqual(name.utf8))
          try AtomicSave(fileSystem: folder.fileSystem, location: location).replace(with: bytes)
          #expect(try folder.fileSystem.readFile(at: location, limit: 10).bytes == bytes)
        }
      }
    }
  }

  // The two spellings of “é” are two names on most file systems, and one string to Swift.
  @Test func theSpellingOfANameIsKept() throws {
    try FolderUnderTest.with(.real) { folder in
      let spellings = ["\u{E9}", "e\u{301}"]
      for (index, name) in spellings.enumerated() {
        let location = try folder.location(name)
        try AtomicSave(fileSystem: folder.fileSystem, location: location).replace(with: [UInt8(index)])
        #expect(location.name.utf8.elementsEqual(name.utf8))
      }
      #if os(Linux)
        for (index, name) in spellings.enumerated() { #expect(folder[name] == [UInt8(index)]) }
      #endif
    }
  }

  #if os(Linux)
    // A name that is not UTF-8 cannot be held in a string. Repaired, it would be the name of another file. The store
    // would find nothing there and start empty, while the link's real target has the data.
    @Test func aLinkToANameThatIsNotTextIsRefused() throws {
      try FolderUnderTest.with(.real) { folder in
        let target = Array("\(folder.path)/".utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(symlink(target, "\(folder.path)/link") == 0)
        #expect(throws: SnapshotError.self) {
          let location = try folder.location("link")
          try AtomicSave(fileSystem: folder.fileSystem, location: location).replace(with: [1])
        }
        #expect(folder.names.count == 2)
      }
    }
  #endif

  // To the system a name ends at the first NUL, so the call would reach another file.
  @Test func aNameWithANULIsRefused() throws {
    try FolderUnderTest.with(.real) { folder in
      folder["file"] = [1]
      #expect(throws: SnapshotError.self) {
        let location = try folder.location("file\0.json")
        try AtomicSave(fileSystem: folder.fileSystem, location: location).replace(with: [2])
      }
      #expect(folder["file"] == [1])
      #expect(folder.names == ["file"])
    }
  }
}
