import Foundation

@testable import SnapshotFolders
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

extension Notebook {
  /// Writes a folder on any file system.
  func export(
    toFolder path: String, as format: NoteFolderFormat, pictures: String? = nil, intoExisting: Bool = false,
    on fileSystem: any FileSystem, progress: (Int) throws -> Void = { _ in }
  ) throws -> NoteFolderReport {
    let reader = try pictures.map { try FolderReader($0, on: fileSystem, limits: FolderReader.Limits()) }
    defer { reader?.close() }
    return try FolderWriter.write(path, intoExisting: intoExisting, on: fileSystem) { writer in
      try export(to: &writer, as: format, pictures: reader, progress: progress)
    }
  }
}

extension ForeignContent {
  /// Reads a folder on any file system.
  init(
    folder path: String, as format: NoteFolderFormat, on fileSystem: any FileSystem, limits: ReadLimits = ReadLimits(),
    timeZone: TimeZone = .current, progress: (Int) throws -> Void = { _ in }
  ) throws {
    let reader = try FolderReader(path, on: fileSystem, limits: FolderReader.Limits(limits))
    defer { reader.close() }
    try self.init(reader, as: format, limits: limits, timeZone: timeZone, progress: progress)
  }

  /// Copies pictures on any file system.
  func copyPictures(
    from path: String, to target: String, on fileSystem: any FileSystem, limits: ReadLimits = ReadLimits()
  ) throws -> (copied: Int, skipped: [SkippedItem]) {
    let reader = try FolderReader(path, on: fileSystem, limits: FolderReader.Limits(limits))
    defer { reader.close() }
    return try copyPictures(from: reader, limits: limits) { copy in
      try FolderWriter.write(target, intoExisting: true, on: fileSystem, copy)
    }
  }
}
