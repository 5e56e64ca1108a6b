import Foundation
import Testing

@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Small files in the form of the notes app Vesper.
enum Vesper {
  /// The sync service's JSON: one note with everything, one with nothing but an id and null dates.
  static var sync: String {
    """
    {"notes": [
      {"noteID": 1607864771815195, "text": "A film\\nwith pictures", "archived": true,
       "creationDate": "2017-03-22T00:43:39.000Z", "sortDate": "2017-03-23T00:43:39.250Z",
       "textModificationDate": "2017-03-22T02:28:16.000Z", "archivedModificationDate": "2017-04-01T00:00:00Z",
       "sortDateModificationDate": "2017-03-24T00:00:00Z", "tagsModificationDate": "2017-03-25T00:00:00Z",
       "attachmentsModificationDate": "2017-03-26T00:00:00Z",
       "tags": "Paris  New York   paris  Film Noir",
       "attachments": "\(base64(pictures))", "somethingNew": [1, 2]},
      {"noteID": 1001, "text": null, "archived": null, "creationDate": null, "sortDate": null,
       "textModificationDate": null, "archivedModificationDate": null, "sortDateModificationDate": null,
       "tagsModificationDate": null, "attachmentsModificationDate": null, "tags": null, "attachments": null}
    ], "tags": [
      {"uniqueID": "x", "name": "  NEW  York ", "nameModificationDate": "2016-01-01T00:00:00Z"},
      {"uniqueID": "y", "name": "Unused", "nameModificationDate": null}
    ]}
    """
  }

  static let pictures = """
    [{"uniqueID": "p1", "mimeType": "image/png", "height": 10, "width": 20.0},
     {"uniqueID": "p2", "mimeType": "video/mp4"}, {"uniqueID": "p1", "mimeType": "image/png", "height": 10, "width": 20}]
    """

  static let tutorial = #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <array>
      <dict>
        <key>text</key><string>Collect your thoughts\nAdd tags &amp; pictures.</string>
        <key>uniqueID</key><integer>1</integer>
        <key>date</key><string>2012-12-12T16:12:12.000Z</string>
        <key>tags</key><array><string>Tutorial</string><string> </string><string>tutorial</string></array>
        <key>pictureAttachment</key><string>tutorial.jpg</string>
        <key>pictureAttachmentID</key><string>tutorial1</string>
      </dict>
      <dict>
        <key>text</key><string>Second</string>
        <key>uniqueID</key><integer>2</integer>
        <key>date</key><date>2012-12-12T15:12:12Z</date>
        <key>pictureAttachment</key><string>drawing.PNG</string>
        <key>pictureAttachmentID</key><string>tutorial2</string>
      </dict>
      <dict>
        <key>uniqueID</key><integer>3</integer>
        <key>pictureAttachment</key><string>without an id</string>
      </dict>
    </array>
    </plist>
    """#

  static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  static func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }
}

extension Notebook {
  @discardableResult
  mutating func importVesper(_ text: String) throws -> ImportReport { try importVesper(Array(text.utf8)) }

  @discardableResult
  mutating func importVesper(
    _ bytes: [UInt8], limits: ReadLimits = ReadLimits(), options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    try importContent(try ForeignContent(vesper: bytes, limits: limits), options: options)
  }
}
