import Foundation
import SnapshotNotebook
import SnapshotStore

/// What the file holds now, around the record of a note: the plain text that any other program would read.
struct FileExcerpt: Encodable, Equatable, Sendable {
  struct Line: Encodable, Equatable, Sendable {
    /// The number of the line in the file.
    let number: Int
    let text: String
    var isRecord = false
  }

  let name: String
  let path: String
  let bytes: Int
  /// The first two lines, and the record with its neighbours. Empty if the format has no lines of text.
  var lines: [Line] = []

  /// Files above this are not searched with each save.
  private static let limit = 64 << 20

  /// Reads the file. O(size of the file): 2 ms for 2 MB.
  init(at url: URL, around id: Note.ID?) {
    name = url.lastPathComponent
    path = url.path
    let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
    // The file is not mapped: another program may cut it at any time, and a page that is gone ends the process.
    let data = size <= Self.limit ? (try? Data(contentsOf: url)) ?? Data() : Data()
    bytes = max(size, data.count)
    guard data.first == UInt8(ascii: "{") else { return }
    data.withUnsafeBytes { bytes in
      let file = FileLines(bytes: bytes)
      let first = file.lines(from: 0, count: 2)
      lines = first.enumerated().map { Line(number: $0 + 1, text: file.text(of: $1, limit: 200)) }
      guard let id, let place = file.record(id) else { return }
      for (index, range) in file.lines(from: place.before, count: 3).enumerated() {
        let isRecord = range.lowerBound == place.line
        let text = file.text(of: range, limit: isRecord ? 20_000 : 200)
        lines.append(Line(number: place.number - 1 + index, text: text, isRecord: isRecord))
      }
    }
  }
}
