package import SnapshotFoundation

/// What changes when a file or its journal is written: its size, its date, and usually its number.
///
/// A program that has to look for changes compares two stamps, and reads the file only if they differ. A store needs no
/// stamps: it notices changes of its file itself.
///
/// Two stamps may be equal although the file was changed: in place, to the same size, within the precision of the file
/// system's dates.
package struct FileStamp: Hashable, Sendable {
  private let file: Content
  /// The journal beside the file; nil if there is none.
  private let journal: Content?
  /// How far the journal is written: its size and date do not tell for certain.
  private let extent: JournalExtent?

  private struct Content: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
    let size: Int
    let modified: Int64

    init(_ status: FileStatus) {
      device = status.device
      number = status.inode
      size = status.size
      modified = status.modified
    }
  }

  /// The date of the last change of the content.
  package var modificationDate: Date {
    Date(timeIntervalSince1970: Double(max(file.modified, journal?.modified ?? .min)) / 1e9)
  }

  /// The stamp of the file to which a path leads, through links. O(log n) for a journal of n bytes, otherwise
  /// O(1).
  ///
  /// It asks only the file system. Foundation's attributes of a file have the name of its owner too, which is looked up
  /// elsewhere.
  ///
  /// Nil if there is no file, or the system does not tell.
  package init?(at url: URL) {
    let system = POSIXFileSystem()
    guard let path = try? url.requiredPath(), let location = try? FileLocation(path, on: system),
      let status = try? system.statusIfAny(at: location)
    else { return nil }
    file = Content(status)
    let beside = location.sibling(SideName.journal(of: location.name))
    journal = (try? system.statusIfAny(at: beside)).flatMap { $0 }.map(Content.init)
    extent = try? JournalExtent.find(beside: location, on: system)
  }
}
