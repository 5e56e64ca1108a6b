import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Facts from picture files: names, types, sizes.
struct PictureTests {
  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [
      0, 0, 1, 2, 0, 0, 3, 4, 8, 6, 0, 0, 0,
    ]
  private static let gif = Array("GIF89a".utf8) + [0x02, 0x01, 0x04, 0x03, 0]
  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xDB, 0, 3, 0xFF, 0xFF, 0xC2, 0, 11, 8, 3, 4, 1, 2, 1, 1, 0x11, 0]

  @Test(arguments: [png, gif, jpeg]) func sizes(bytes: [UInt8]) throws {
    let size = try #require(PictureSize(bytes))
    #expect((size.width, size.height) == (0x102, 0x304))
  }

  /// No prefix and no changed byte makes it read beyond the end.
  @Test(arguments: [png, gif, jpeg]) func damage(bytes: [UInt8]) {
    for count in bytes.indices { _ = PictureSize(Array(bytes.prefix(count))) }
    for index in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[index] = value
        _ = PictureSize(damaged)
      }
    }
    #expect(PictureSize([]) == nil)
    #expect(PictureSize(Array(bytes.prefix(9))) == nil)
    #expect(PictureSize(Array("GIF".utf8)) == nil)
    #expect(PictureSize([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0xFF, 0xC0, 0, 0, 0, 0, 1, 0, 1]) == nil)
    #expect(PictureSize([0xFF, 0xD8, 0xFF, 0xDA, 0xFF, 0xC0, 0, 0, 0, 0, 1, 0, 1]) == nil)
  }

  @Test func namesOfFiles() {
    let attachment = PictureName.attachment(inFile: "A1.JPEG")
    #expect(attachment == Attachment(id: "A1", mimeType: "image/jpeg", height: 0, width: 0))
    #expect(PictureName.attachment(inFile: "a.b.xyz").id == "a.b.xyz")
    #expect(PictureName.attachment(inFile: "none").mimeType == "application/octet-stream")
    let folder = PictureFolder(["Pictures/A1.JPEG", "Pictures/plain", "Pictures/b.png"])
    #expect(folder.path(of: attachment) == "Pictures/A1.JPEG")
    #expect(folder.path(of: Attachment(id: "plain", mimeType: "image/png", height: 1, width: 1)) == "Pictures/plain")
    #expect(folder.path(of: Attachment(id: "c", mimeType: "image/png", height: 1, width: 1)) == nil)
  }

  @Test func idsThatCannotBeNames() {
    each(["../x", "/etc/passwd", "a\0b", "", ".hidden", String(repeating: "a", count: 252)]) { (id: String) in
      let attachment = Attachment(id: id, mimeType: "image/png", height: 0, width: 0)
      #expect(PictureName.safeFileName(of: attachment) == nil)
    }
  }

  /// A size has no sign, so none is negative.
  @Test func sizesThatAreNone() {
    each(["-1x2", "1x-2", "+1x2", "1x+2", "x2", "1x", "1x2x3", "9223372036854775808x1"]) { (size: String) in
      #expect(PictureName.attachment("a.png, image/png, 1x2") != nil)
      #expect(PictureName.attachment("a.png, image/png, \(size)") == nil)
      let negative = Attachment(id: "a", mimeType: "image/png", height: -1, width: .min)
      #expect(PictureName.attachment(PictureName.text(of: negative))?.height == 0)
    }
  }
}
