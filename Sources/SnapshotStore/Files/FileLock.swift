import Foundation
import Synchronization

/// The right to replace a file, which one holder at a time has: a store for as long as it is open, or a short operation.
///
/// What is locked is a file beside it, `.NAME.lock`, because the file itself is another one after every save. The system
/// lets go of the lock when the process ends, however it ends; a lock file that is left behind locks nothing. It says who
/// holds it, for the messages of others.
final class FileLock: Sendable {
  private struct Held: Sendable {
    let file: OpenFile
    let directory: OpenFile
  }

  private let fileSystem: any FileSystem
  private let name: String
  private let held: Mutex<Held?>

  /// Acquires the lock of a file, which need not exist.
  ///
  /// - Parameter timeLimit: how long to wait while someone else holds it.
  /// - Throws: `locked` if someone else holds it; `ioFailed`, for example where nothing can be written.
  init(
    of location: FileLocation, on fileSystem: any FileSystem, timeLimit: Duration = .zero
  ) throws(SnapshotError) {
    self.fileSystem = fileSystem
    name = Self.name(for: location.name)
    let directory: OpenFile
    do {
      directory = try fileSystem.openDirectory(location.directory)
    } catch {
      throw SnapshotError(error, location.path)
    }
    do {
      let file = try Self.acquire(name, in: directory, on: fileSystem, until: .now + timeLimit)
      held = Mutex(Held(file: file, directory: directory))
      Self.describeHolder(in: file, like: location.name, in: directory, on: fileSystem)
    } catch {
      let holder = error.number == SystemError.wouldBlock ? Self.holder(name, in: directory, on: fileSystem) : nil
      fileSystem.close(directory)
      throw Self.failure(error, holder, lockFile: name, location)
    }
  }

  deinit { release() }

  /// Whether it is held in a folder, and not in one that was moved away from its path.
  func isHeld(in folder: FileStatus) throws(SystemError) -> Bool {
    guard let directory = held.withLock({ $0?.directory }) else { return false }
    return try fileSystem.status(directory).isSameFile(as: folder)
  }

  /// Lets go of the lock, and removes its file. Doing so again does nothing.
  func release() {
    let held = held.withLock { held in
      defer { held = nil }
      return held
    }
    guard let held else { return }
    // While it is locked, and only if nobody has removed it and made another: that would be somebody else's.
    if (try? Self.isCurrent(held.file, name, in: held.directory, on: fileSystem)) == true {
      try? fileSystem.remove(name, in: held.directory)
    }
    fileSystem.close(held.file)
    fileSystem.close(held.directory)
  }

  /// The file may have been removed between opening and locking it, by whoever held the lock. Then it locks nothing.
  private static func acquire(
    _ name: String, in directory: OpenFile, on fileSystem: any FileSystem, until end: ContinuousClock.Instant
  ) throws(SystemError) -> OpenFile {
    while true {
      let file = try fileSystem.openLockFile(name, in: directory)
      do {
        try fileSystem.lock(file, timeLimit: max(.zero, end - .now))
        if try isCurrent(file, name, in: directory, on: fileSystem) { return file }
      } catch {
        fileSystem.close(file)
        throw error
      }
      fileSystem.close(file)
    }
  }

  private static func isCurrent(
    _ file: OpenFile, _ name: String, in directory: OpenFile, on fileSystem: any FileSystem
  ) throws(SystemError) -> Bool {
    guard let current = try fileSystem.statusIfAny(of: name, in: directory) else { return false }
    let own = try fileSystem.status(file)
    return own.device == current.device && own.inode == current.inode
  }

  /// Hidden, and never that of another file.
  static func name(for name: String) -> String { ".\(name.shortenedFileName).lock" }
}

// MARK: - The holder

extension FileLock {
  /// As long as any: what another holder wrote is overwritten in full.
  private static let descriptionLength = 256

  /// Writes down who holds the lock. It is for messages only, so it does no harm if that fails.
  private static func describeHolder(
    in file: OpenFile, like target: String, in directory: OpenFile, on fileSystem: any FileSystem
  ) {
    if var status = try? fileSystem.statusIfAny(of: target, in: directory) {
      // Whoever owns the file must be able to open its lock, even if the file itself may not be written.
      status.mode |= 0o600
      try? fileSystem.setOwnership(file, like: status)
    }
    let process = ProcessInfo.processInfo
    let date = Date(timeIntervalSinceReferenceDate: Date.now.timeIntervalSinceReferenceDate.rounded(.down))
    let name = process.processName.escapedForMessage(limit: 40)
    let text = "\(name) (process \(process.processIdentifier)) since \(date.formatted(.iso8601))"
    let bytes = Array(text.utf8.prefix(descriptionLength - 1))
    let padding = [UInt8](repeating: UInt8(ascii: " "), count: descriptionLength - 1 - bytes.count)
    (bytes + padding + [UInt8(ascii: "\n")]).withUnsafeBytes { _ = try? fileSystem.write(file, $0) }
  }

  /// What the holder wrote about itself.
  private static func holder(_ name: String, in directory: OpenFile, on fileSystem: any FileSystem) -> String? {
    guard let file = try? fileSystem.open(name, in: directory) else { return nil }
    defer { fileSystem.close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: descriptionLength) { buffer, count in
      count = (try? fileSystem.read(file, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    return trimmed.isEmpty ? nil : trimmed.escapedForMessage(limit: descriptionLength)
  }

  private static func failure(
    _ error: SystemError, _ holder: String?, lockFile: String, _ location: FileLocation
  ) -> SnapshotError {
    if error.number == SystemError.wouldBlock {
      let own = "(process \(ProcessInfo.processInfo.processIdentifier))"
      let who = holder.map { $0.contains(own) ? "this program itself, \($0)," : $0 } ?? "another process"
      return SnapshotError(
        .locked, "\(who) has the file open for writing",
        advice: "Close it there, wait, or open the file for reading only.", path: location.path,
        systemError: error.number)
    }
    var failure = SnapshotError(error, location.path, committed: " for the lock file \(lockFile); nothing was replaced")
    failure.advice =
      error.number == SystemError.accessDenied || error.number == SystemError.readOnlyFileSystem
      ? "The folder or the lock file cannot be written; the file can be opened for reading only."
      : nil
    return failure
  }
}
