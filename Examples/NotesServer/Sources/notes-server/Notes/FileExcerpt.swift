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

/// The lines of a JSON file, where each record is a line.
private struct FileLines {
  let bytes: UnsafeRawBufferPointer

  struct Place {
    let line: Int
    /// The line before it.
    let before: Int
    /// The number of the line, from 1.
    let number: Int
  }

  /// The line of a note; nil if it is not in the file, or if somebody has given the file another layout.
  func record(_ id: Note.ID) -> Place? {
    let (table, record) = (Array("\"notes\":[".utf8), Array("{\"id\":\(id),".utf8))
    var (line, before, number, isInTable) = (0, 0, 1, false)
    while line < bytes.count {
      if isInTable, begins(line, with: record) { return Place(line: line, before: before, number: number) }
      isInTable = isInTable || begins(line, with: table)
      (before, line, number) = (line, end(of: line) + 1, number + 1)
    }
    return nil
  }

  func lines(from start: Int, count: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = start
    while lines.count < count, start < bytes.count {
      lines.append(start..<end(of: start))
      start = lines[lines.count - 1].upperBound + 1
    }
    return lines
  }

  func text(of range: Range<Int>, limit: Int) -> String {
    let isCut = range.count > limit
    let end = isCut ? range.lowerBound + limit : range.upperBound
    return String(decoding: bytes[range.lowerBound..<end], as: UTF8.self) + (isCut ? " …" : "")
  }

  private func begins(_ line: Int, with text: [UInt8]) -> Bool {
    line + text.count <= bytes.count && bytes[line..<line + text.count].elementsEqual(text)
  }

  private func end(of line: Int) -> Int {
    guard let base = bytes.baseAddress, let end = memchr(base + line, 0x0A, bytes.count - line) else {
      return bytes.count
    }
    return UnsafeRawPointer(end) - base
  }
}
