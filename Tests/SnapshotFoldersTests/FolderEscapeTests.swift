import Foundation
import Testing

@testable import SnapshotFolders
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// No name leads out of a folder, for reading or for writing.
struct FolderEscapeTests {
  /// Names that lead elsewhere, and names that are invalid within the folder.
  static let badNames = [
    "", ".", "..", "/", "../x", "a/../../x", "a/..", "./x", "a/x", "/x", "x/", "..\0", "x\0", "\0", "x\0/../y", "../",
    "/\u{301}x", "..\u{2F}\u{338}x",
  ]
  static let badPaths = [
    "", "/", "//", ".", "..", "../x", "../inside/../x", "a/../../x", "a/../x", "./x", "a/./x", "x\0", "a\0/x", "..\0/x",
    "/../x", "..//x", "../\u{301}x", "..\u{2F}\u{338}x",
  ]

  private static let secret: [UInt8] = [7, 7, 7]

  /// A folder `inside` with a file `a/x` and a file `y`, beside a file `x` that must not be reached.
  private func with(_ kind: FolderUnderTest.Kind, _ body: (FolderUnderTest, String) throws -> Void) throws {
    try FolderUnderTest.with(kind) { folder in
      let parent = try folder.fileSystem.openDirectory(folder.path)
      defer { folder.fileSystem.close(parent) }
      try folder.fileSystem.makeDirectory("inside", in: parent)
      try folder.fileSystem.makeDirectory("outside", in: parent)
      let inside = try folder.fileSystem.openDirectory("inside", in: parent)
      defer { folder.fileSystem.close(inside) }
      try folder.fileSystem.makeDirectory("a", in: inside)
      folder["x"] = Self.secret
      folder["outside/x"] = Self.secret
      folder["inside/a/x"] = [1]
      folder["inside/y"] = [2]
      try body(folder, "\(folder.path)/inside")
      #expect(folder["x"] == Self.secret)
      #expect(folder["outside/x"] == Self.secret)
      #expect(folder["inside/a/x"] == [1])
      #expect(folder["inside/y"] == [2])
      if kind == .real {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["inside", "outside", "x"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/outside") == ["x"])
      } else {
        #expect(folder.allNames.allSatisfy { $0.hasPrefix("inside/") || ["x", "outside/x"].contains($0) })
      }
    }
  }

  @Test func paths() {
    each(FolderUnderTest.Kind.allCases, Self.badPaths) { (kind: FolderUnderTest.Kind, path: String) throws in
      try with(kind) { folder, inside in
        let reader = try FolderReader(inside, on: folder.fileSystem, limits: .init())
        defer { reader.close() }
        expectRefusal(.invalidValue) { _ = try reader.bytes(of: path) }
        #expect(reader.beginning(of: path, count: 3) == [])
      }
    }
  }

  /// As the name of a file and as that of a folder, in every call that takes one.
  @Test func names() {
    each(FolderUnderTest.Kind.allCases, Self.badNames) { (kind: FolderUnderTest.Kind, name: String) throws in
      try with(kind) { folder, inside in
        try FolderWriter.write(inside, intoExisting: true, on: folder.fileSystem) { writer in
          for place in [nil, "a"] {
            expectRefusal(.invalidValue) { try writer.write([9], to: name, in: place) }
            expectRefusal(.invalidValue) { _ = try writer.holds(name, in: place) }
            expectRefusal(.invalidValue) { _ = try writer.file(name, in: place, limit: 10) }
            expectRefusal(.invalidValue) { _ = try writer.setAside(name, in: place) }
          }
          expectRefusal(.invalidValue) { try writer.write([9], to: "x", in: name) }
          expectRefusal(.invalidValue) { _ = try writer.holds("x", in: name) }
          expectRefusal(.invalidValue) { _ = try writer.file("x", in: name, limit: 10) }
          expectRefusal(.invalidValue) { _ = try writer.setAside("x", in: name) }
          expectRefusal(.invalidValue) { _ = try writer.names(in: name) }
          expectRefusal(.invalidValue) { try writer.makeFolder(name) }
          expectRefusal(.invalidValue) { try writer.requireFolderOrNothing(name) }
        }
      }
    }
  }

  /// The same for a folder that does not exist yet.
  @Test func namesInANewFolder() {
    each(FolderUnderTest.Kind.allCases, Self.badNames) { (kind: FolderUnderTest.Kind, name: String) throws in
      try with(kind) { folder, _ in
        expectRefusal(.invalidValue) {
          try FolderWriter.write("\(folder.path)/new", intoExisting: false, on: folder.fileSystem) { writer in
            expectRefusal(.invalidValue) { try writer.write([9], to: "x", in: name) }
            expectRefusal(.invalidValue) { try writer.makeFolder(name) }
            try writer.write([9], to: name, in: nil)
          }
        }
      }
    }
  }

  /// Links to a file and to a folder outside, as the last name of a path and as one before it.
  @Test func linksOutOfTheFolder() throws {
    try with(.real) { folder, inside in
      let manager = FileManager.default
      for (name, target) in [("file", "../x"), ("folder", "../outside"), ("up", "..")] {
        try manager.createSymbolicLink(atPath: "\(inside)/\(name)", withDestinationPath: target)
      }
      let reader = try FolderReader(inside, on: folder.fileSystem, limits: .init())
      defer { reader.close() }
      for path in ["file", "folder", "up", "folder/x", "up/x", "up/outside/x", "up/inside/y"] {
        expectRefusal(.notRegularFile) { _ = try reader.bytes(of: path) }
        #expect(reader.beginning(of: path, count: 3) == [])
      }
      #expect(try reader.listing().files.map(\.path) == ["a/x", "y"])
      try FolderWriter.write(inside, intoExisting: true, on: folder.fileSystem) { writer in
        for name in ["folder", "up"] {
          #expect(throws: SnapshotError.self) { try writer.write([9], to: "x", in: name) }
          #expect(throws: SnapshotError.self) { try writer.file("x", in: name, limit: 10) }
          #expect(throws: SnapshotError.self) { try writer.setAside("x", in: name) }
          #expect(throws: SnapshotError.self) { try writer.names(in: name) }
          expectRefusal(.fileExists) { try writer.requireFolderOrNothing(name) }
        }
        #expect(try writer.file("file", in: nil, limit: 10) == nil)
        #expect(try writer.holds("file", in: nil))
        #expect(try !writer.holds("none", in: nil))
        // The link itself is replaced, not its target.
        try writer.write([9], to: "file", in: nil)
      }
      #expect(folder["inside/file"] == [9])
    }
  }

  /// In memory a link leads to a file only.
  @Test func linksInMemory() throws {
    try with(.inMemory) { folder, inside in
      try folder.link("inside/file", to: "x")
      let reader = try FolderReader(inside, on: folder.fileSystem, limits: .init())
      defer { reader.close() }
      for path in ["file", "file/x"] { expectRefusal(.notRegularFile) { _ = try reader.bytes(of: path) } }
      try FolderWriter.write(inside, intoExisting: true, on: folder.fileSystem) { writer in
        #expect(throws: SnapshotError.self) { try writer.write([9], to: "x", in: "file") }
        try writer.write([9], to: "file", in: nil)
      }
    }
  }

  /// A folder whose name has another normalisation is another folder.
  @Test func namesThatDifferByNormalisation() throws {
    #if os(Linux)
      let names = ["\u{E9}", "e\u{301}"]
      try FolderUnderTest.with(.real) { folder in
        folder["mine"] = [1]
        try FolderWriter.write(folder.path, intoExisting: true, on: folder.fileSystem) { writer in
          for (number, name) in names.enumerated() { try writer.write([UInt8(number)], to: "x", in: name) }
        }
        for (number, name) in names.enumerated() { #expect(folder["\(name)/x"] == [UInt8(number)]) }
      }
    #endif
  }
}
