/// The line in the lock file. Its numbers are hexadecimal.
extension Lineage {
  static let mark = "Saves: "

  /// At most 253 characters.
  var text: String {
    let end = journal.map { [Self.word($0.size), Self.word($0.number), Self.word($0.sum)] }
    let fold = fold.map { [Self.word($0.journal), Self.word($0.checksum)] }
    let range = overwritten.map { [Self.word($0.lowerBound), Self.word($0.upperBound)] }
    let words =
      [Self.word(run), Self.word(number), "file"] + Self.words(file) + ["next"] + Self.words(next) + ["journal"]
      + (end ?? ["-"]) + ["fold"] + (fold ?? ["-"]) + ["others", isForeign ? "now" : "-", Self.word(lastMerge)]
      + (lastUntyped == 0 ? [] : ["raw", Self.word(lastUntyped)]) + (range ?? [])
    return Self.mark + words.joined(separator: " ")
  }

  private static func word(_ number: some BinaryInteger) -> String { String(number, radix: 16) }

  private static func words(_ version: Version?) -> [String] {
    version.map { [word($0.inode), word($0.size), word($0.modified)] } ?? ["-"]
  }

  /// The lineage in a line. Nil if it does not say all of it in this form.
  init?(line: ArraySlice<UInt8>) {
    var words = LineWords(line)
    words.require("Saves:")
    let run: UInt64 = words.number()
    let number = words.save()
    words.require("file")
    let file = words.version()
    words.require("next")
    let next = words.version()
    words.require("journal")
    let journal =
      words.skip("-") ? nil : JournalEnd(size: words.count(), number: words.count(), sum: words.number())
    words.require("fold")
    let fold = words.skip("-") ? nil : Fold(journal: words.number(), checksum: words.number())
    words.require("others")
    let isForeign = words.skip("now")
    if !isForeign { words.require("-") }
    let lastMerge = words.save()
    let lastUntyped = words.skip("raw") ? words.save() : 0
    let overwritten = words.isAtEnd ? nil : (first: words.save(), last: words.save())
    if words.isWrong || !words.isAtEnd || overwritten.map({ $0.first > $0.last }) == true { return nil }
    self.init(
      run: run, number: number, file: file, next: next, journal: journal, fold: fold, isForeign: isForeign,
      lastMerge: lastMerge, lastUntyped: lastUntyped, overwritten: overwritten.map { $0.first...$0.last })
  }
}

/// The words of a line, read one after the other. Every process reads the line for each save of every other one.
private struct LineWords {
  private var rest: ArraySlice<UInt8>
  /// Whether a word was not what was wanted. Then nothing that was read counts.
  private(set) var isWrong = false

  private static let space = UInt8(ascii: " ")

  init(_ line: ArraySlice<UInt8>) { rest = line.drop { $0 == Self.space } }

  var isAtEnd: Bool { rest.isEmpty }

  private var word: ArraySlice<UInt8> { rest.prefix { $0 != Self.space } }

  private mutating func advance(past word: ArraySlice<UInt8>) {
    rest = rest[word.endIndex...].drop { $0 == Self.space }
  }

  mutating func skip(_ wanted: StaticString) -> Bool {
    let word = word
    let isWanted = wanted.withUTF8Buffer { $0.elementsEqual(word) }
    if isWanted { advance(past: word) }
    return isWanted
  }

  mutating func require(_ wanted: StaticString) { if !skip(wanted) { isWrong = true } }

  /// A hexadecimal number. 0 if there is none.
  mutating func number<Number: FixedWidthInteger>() -> Number {
    let word = word
    advance(past: word)
    let isNegative = word.first == UInt8(ascii: "-")
    let digits = isNegative ? word.dropFirst() : word
    var number: Number = 0
    isWrong = isWrong || digits.isEmpty
    for digit in digits {
      let value: Number
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Number(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = Number(digit - UInt8(ascii: "a") + 10)
      default:
        isWrong = true
        return 0
      }
      let (high, overflow) = number.multipliedReportingOverflow(by: 16)
      let (sum, carry) = isNegative ? high.subtractingReportingOverflow(value) : high.addingReportingOverflow(value)
      isWrong = isWrong || overflow || carry
      number = sum
    }
    return number
  }

  /// The same, not below zero.
  mutating func count() -> Int {
    let count: Int = number()
    isWrong = isWrong || count < 0
    return count
  }

  /// The number of a save. No run has more.
  mutating func save() -> Int { Int(number() as UInt32) }

  mutating func version() -> Lineage.Version? {
    if skip("-") { return nil }
    return Lineage.Version(inode: number(), size: count(), modified: number())
  }
}
