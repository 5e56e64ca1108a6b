import Foundation
import SnapshotNotebook
import SnapshotStore

/// Ways of saving that look right, each without one step of the library. The checks must detect every one.
enum Cheat: String {
  /// A temporary, a rename and a synced directory, but the bytes themselves are never synced.
  case noFsync = "no-fsync"
  /// The same with the file synced, but not the directory.
  case noDirectoryFsync = "no-directory-fsync"
  /// Truncates the file and writes it anew, with every sync there is.
  case inPlace = "in-place"
  /// `Data.write` with the option `atomic`.
  case foundation

  func write(_ bytes: [UInt8], to url: URL) throws {
    let path = url.path(percentEncoded: false)
    switch self {
    case .foundation: try Data(bytes).write(to: url, options: .atomic)
    case .inPlace: try Self.fill(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, bytes, syncs: true)
    case .noFsync, .noDirectoryFsync:
      let temporary = "\(path).\(UInt32.random(in: .min ... .max)).tmp"
      try Self.fill(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, bytes, syncs: self == .noDirectoryFsync)
      try Self.call("rename", path, rename(temporary, path))
      if self == .noFsync { try Self.syncDirectory(of: url) }
    }
  }

  private static func fill(_ path: String, _ flags: Int32, _ bytes: [UInt8], syncs: Bool) throws {
    let file = open(path, flags, 0o600)
    try call("open", path, file)
    defer { Foundation.close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, min($0.count, 65_536)) }
      try call("write", path, Int32(truncatingIfNeeded: count))
      rest = rest.dropFirst(count)
    }
    if syncs { try call("fsync", path, fsync(file)) }
  }

  private static func syncDirectory(of url: URL) throws {
    let path = url.deletingLastPathComponent().path(percentEncoded: false)
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try call("open", path, directory)
    defer { Foundation.close(directory) }
    try call("fsync", path, fsync(directory))
  }

  private static func call(_ name: String, _ path: String, _ result: Int32) throws {
    if result < 0 { throw DriverError("\(path): \(name) failed: \(String(cString: strerror(errno)))") }
  }
}

/// A store whose saves cheat.
final class CheatKeeper: Keeper {
  private(set) var notebook = Notebook()
  private(set) var isDurable = true
  private(set) var lastError: (any Error)?
  private let url: URL
  private let cheat: Cheat

  init(_ url: URL, _ cheat: Cheat) throws {
    self.url = url
    self.cheat = cheat
    do {
      notebook = try SnapshotFile.read(at: url)
    } catch let error as SnapshotError where error.code == .fileNotFound {
      try flush()
    }
  }

  func change(_ body: (inout Notebook) throws -> Void) throws {
    try body(&notebook)
    isDurable = false
  }

  func lookAfter() {
    do {
      if !isDurable { try flush() }
    } catch {
      lastError = error
    }
  }

  func flush() throws {
    try cheat.write(try SnapshotFile.encode(notebook, as: .json), to: url)
    isDurable = true
  }

  func fold() throws { try flush() }
  func close() {}
}
