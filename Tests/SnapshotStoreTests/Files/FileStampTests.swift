import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A file that is written has another stamp.
@Suite struct FileStampTests {
  @Test func aFileThatIsWrittenHasAnotherStamp() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("file") as URL
    #expect(FileStamp(at: url) == nil)
    try Data("one".utf8).write(to: url)
    let first = try #require(FileStamp(at: url))
    #expect(FileStamp(at: url) == first)
    // In place, to another size.
    let handle = try FileHandle(forWritingTo: url)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("+".utf8))
    try handle.close()
    let longer = FileStamp(at: url)
    #expect(longer != nil && longer != first)
    // The same size, at another time.
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: url.path)
    let older = FileStamp(at: url)
    #expect(older != nil && older != longer)
    #expect(older?.modificationDate == Date(timeIntervalSince1970: 1))
    // Another file with the same size and date.
    let other = folder.url("other") as URL
    try Data("one+".utf8).write(to: other)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: other.path)
    #expect(FileStamp(at: other) != older)
  }

  @Test func aLinkHasTheStampOfItsFile() throws {
    let folder = try TemporaryFolder()
    let (url, link) = (folder.url("file") as URL, folder.url("link") as URL)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    #expect(FileStamp(at: link) == nil)
    try Data("one".utf8).write(to: url)
    #expect(FileStamp(at: link) != nil && FileStamp(at: link) == FileStamp(at: url))
  }
}
