import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting

/// A folder on the real file system or on the one in memory, so that one test can check both.
struct FolderUnderTest {
  enum Kind: CaseIterable, Sendable { case inMemory, real }

  let kind: Kind
  let path: String
  let fileSystem: any FileSystem
  private let memory = InMemoryFileSystem(directories: ["/folder"])

  private init(_ kind: Kind) throws {
    self.kind = kind
    switch kind {
    case .inMemory:
      path = "/folder"
      fileSystem = memory
    case .real:
      // The system's folder may itself be reached through a link; the tests compare resolved paths.
      let parent = try POSIXFileSystem().resolve(FileManager.default.temporaryDirectory.path)
      path = "\(parent)/SnapshotStoreTests-\(UUID().uuidString)"
      fileSystem = POSIXFileSystem()
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
  }

  /// Makes a folder for the duration of `body`.
  static func with(_ kind: Kind, _ body: (FolderUnderTest) throws -> Void) throws {
    let folder = try FolderUnderTest(kind)
    defer { folder.delete() }
    try body(folder)
  }

  /// The same for a body that awaits.
  static func with(_ kind: Kind, _ body: (FolderUnderTest) async throws -> Void) async throws {
    let folder = try FolderUnderTest(kind)
    defer { folder.delete() }
    try await body(folder)
  }

  private func delete() {
    if kind == .real { try? FileManager.default.removeItem(atPath: path) }
  }

  /// The names of all files and links, except generations and the locks of open stores.
  var names: [String] { allNames.filter { !$0.hasSuffix(".lock") && !$0.contains(".generations") } }

  /// The names of all files and links.
  var allNames: [String] {
    switch kind {
    case .inMemory: memory.paths.compactMap { $0.hasPrefix(path + "/") ? String($0.dropFirst(path.count + 1)) : nil }
    case .real: ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
  }

  /// The bytes of a regular file; nil if there is none.
  subscript(name: String) -> [UInt8]? {
    get {
      switch kind {
      case .inMemory: memory["\(path)/\(name)"]
      case .real: FileManager.default.contents(atPath: "\(path)/\(name)").map { [UInt8]($0) }
      }
    }
    nonmutating set {
      switch kind {
      case .inMemory: memory["\(path)/\(name)"] = newValue
      case .real: _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: newValue.map { Data($0) })
      }
    }
  }

  func remove(_ name: String) {
    switch kind {
    case .inMemory: memory["\(path)/\(name)"] = nil
    case .real: try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
  }

  func mode(of name: String) throws -> UInt32? {
    switch kind {
    case .inMemory: memory.mode(of: "\(path)/\(name)")
    case .real: try fileSystem.readFile(at: location(name), limit: .max).status.mode
    }
  }

  func setMode(_ mode: UInt32, of name: String) throws {
    switch kind {
    case .inMemory: memory.setMode(mode, of: "\(path)/\(name)")
    case .real: try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
    }
  }

  /// Makes a symbolic link within the folder.
  func link(_ name: String, to target: String) throws {
    switch kind {
    case .inMemory: memory.link("\(path)/\(name)", to: "\(path)/\(target)")
    case .real:
      try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: "\(path)/\(target)")
    }
  }

  /// The target of a link, as a name in the folder; nil if it is no link.
  func target(ofLink name: String) -> String? {
    let target: String? =
      switch kind {
      case .inMemory: memory[path + "/" + name] == nil ? try? memory.resolve("\(path)/\(name)") : nil
      case .real: try? FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/\(name)")
      }
    return target.map { String($0.dropFirst(path.count + 1)) }
  }

  func location(_ name: String, on other: (any FileSystem)? = nil) throws(SnapshotError) -> FileLocation {
    try FileLocation("\(path)/\(name)", on: other ?? fileSystem)
  }

  func url(_ name: String) -> URL { URL(fileURLWithPath: "\(path)/\(name)") }
}

extension AtomicSave {
  /// Replaces the file with bytes at once, whatever its content, unless `permit` refuses.
  @discardableResult
  func replace(
    with bytes: [UInt8], cleansUp: Bool = true, permit: (FileStatus?) throws(SnapshotError) -> Void = { _ in }
  ) throws(SnapshotError) -> Replacement {
    try replace(with: PiecedBytes(bytes), cleansUp: cleansUp, permit: permit)
  }
}
