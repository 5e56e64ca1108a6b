/// The end of the journal beside a file that is durable. The second line of the lock file has it.
///
/// It proves nothing. It spares the next holder of the lock to write the last lines once more, of which nobody else
/// knows whether they are durable. So it may be lost.
struct JournalEnd: Equatable, Sendable {
  static let mark = "Saves: "
  /// The line in a lock file that was removed because nobody had the file open.
  static let removed = mark + "removed"

  /// The checksum of the first line of the journal.
  let journal: UInt32
  /// The number of bytes.
  let size: Int
  /// The number of the last line, and its checksum.
  let number: Int
  let sum: UInt32

  init(journal: UInt32, size: Int, number: Int, sum: UInt32) {
    self.journal = journal
    self.size = size
    self.number = number
    self.sum = sum
  }

  /// The text of the line, with hexadecimal numbers.
  var text: String {
    Self.mark
      + [UInt64(journal), UInt64(size), UInt64(number), UInt64(sum)].map { String($0, radix: 16) }
      .joined(separator: " ")
  }

  /// The end in a line. Nil if it does not say it in this form.
  init?(line: ArraySlice<UInt8>) {
    let words = line.split(separator: UInt8(ascii: " "))
    guard words.count == 5, words[0].elementsEqual("Saves:".utf8) else { return nil }
    let numbers = words.dropFirst().compactMap { UInt64(String(decoding: $0, as: UTF8.self), radix: 16) }
    guard numbers.count == 4, let journal = UInt32(exactly: numbers[0]), let size = Int(exactly: numbers[1]),
      let number = Int(exactly: numbers[2]), let sum = UInt32(exactly: numbers[3])
    else { return nil }
    self.init(journal: journal, size: size, number: number, sum: sum)
  }
}
