import Foundation
import SnapshotNotebook

/// The lines of a text. Each record of a JSON file is a line.
struct FileLines {
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

  /// The lines from a place on, without their line feeds.
  func lines(from start: Int, count: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = start
    while lines.count < count, start < bytes.count {
      lines.append(start..<end(of: start))
      start = lines[lines.count - 1].upperBound + 1
    }
    return lines
  }

  /// A line as text. A longer one is cut.
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
