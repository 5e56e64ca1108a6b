import SnapshotStore

/// Prints records in columns.
///
/// The first records decide the widths, so that any number of records is printed as they come. On a terminal a line is
/// as wide as the terminal at most: long cells are cut, and columns without room are left out. Elsewhere nothing is
/// cut.
struct TextTableRows: RowPrinter {
  /// How many records decide the widths.
  static let sampleCount = 1_000

  private var columns: RowColumns
  /// The number of columns, also of those that have no room.
  private let count: Int
  /// The columns of the terminal; nil if nothing is cut.
  private let width: Int?
  private var sample: [[Cell]] = []
  private var layout: TableLayout?
  private var output = RowOutput()

  init(columns: [PropertyPath], width: Int?) {
    count = columns.count
    // Each column needs two characters for its gap, so no terminal shows more.
    self.columns = RowColumns(width.map { Array(columns.prefix($0 / 2 + 2)) } ?? columns)
    self.width = width
  }

  mutating func print(_ record: UntypedValue) throws {
    let cells = columns.values(in: record).map { Cell($0, limit: width) }
    if layout != nil { return try printLine(cells) }
    sample.append(cells)
    if sample.count == Self.sampleCount { try printSample() }
  }

  mutating func finish() throws {
    if layout == nil { try printSample() }
    try output.flush()
    let left = count - (layout?.widths.count ?? 0)
    if left > 0 {
      Terminal.error.printLine("\(Counts.text(left, "column")) more: --columns chooses them, --format json has all")
    }
  }

  private mutating func printSample() throws {
    let titles = columns.paths.map { Cell(text: $0.title.forTerminal) }
    var layout = TableLayout(titles: titles, rows: sample)
    if let width { layout.fit(width) }
    self.layout = layout
    try Terminal.output.print(Terminal.output.bold(layout.line(titles)) + "\n")
    for cells in sample { try printLine(cells) }
    sample = []
  }

  private mutating func printLine(_ cells: [Cell]) throws {
    if let layout { try output.append(layout.line(cells) + "\n") }
  }
}

/// A text in one line, with its width on a terminal.
struct Cell {
  let text: String
  let width: Int
  /// Whether it is a number, which stands on the right.
  var isNumber = false
  /// Whether there is no value.
  var isEmpty = false

  init(text: String) {
    self.text = text
    width = text.displayWidth
  }

  /// - Parameter limit: how many characters can be shown at most. A long text is not escaped as a whole.
  init(_ value: UntypedValue?, limit: Int?) {
    guard let value else {
      self.init(text: "")
      isEmpty = true
      return
    }
    let full = value.cellText
    let part = limit.map { full.utf8.count > $0 ? String(full.prefix($0 + 1)) : full } ?? full
    self.init(text: part.inOneLine)
    isNumber = [.integer, .real, .decimal].contains(value.kind)
  }

  /// The text, cut to a width, with spaces to that width.
  func filling(_ columns: Int, isOnRight: Bool) -> String {
    if width > columns {
      let cut = text.prefix(columns: columns - 1)
      return cut + "…" + String(repeating: " ", count: max(0, columns - 1 - cut.displayWidth))
    }
    let space = String(repeating: " ", count: columns - width)
    return isOnRight ? space + text : text + space
  }
}

/// The widths of the columns of a table.
struct TableLayout {
  private(set) var widths: [Int]
  private let isOnRight: [Bool]
  private var isCut = false
  /// The narrowest column that still tells something: a day, and the sign that it is cut.
  private static let least = 11
  private static let gap = "  "

  init(titles: [Cell], rows: [[Cell]]) {
    widths = titles.map(\.width)
    var numbers = titles.map { _ in false }
    var others = titles.map { _ in false }
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], cell.width)
        if cell.isNumber { numbers[index] = true } else if !cell.isEmpty { others[index] = true }
      }
    }
    isOnRight = zip(numbers, others).map { $0 && !$1 }
  }

  /// Reduces the widths so that a line fits. The first column, which most often has the ids, keeps up to half of the
  /// line. Of the others, the widest are reduced first. Columns without room are left out.
  mutating func fit(_ width: Int) {
    isCut = true
    guard let natural = widths.first else { return }
    let gap = Self.gap.count
    let first = min(natural, max(width / 2, Self.least), max(1, width))
    var room = width - first
    widths =
      [first]
      + widths.dropFirst().prefix { natural in
        room -= gap + min(natural, Self.least)
        return room >= 0
      }
    // The narrow columns keep their width. The others share what is left.
    var open = widths.count - 1
    var left = width - first - gap * open
    for index in widths.indices.dropFirst().sorted(by: { widths[$0] < widths[$1] }) {
      widths[index] = min(widths[index], max(1, left / open))
      left -= widths[index]
      open -= 1
    }
  }

  /// A line of cells. The last one has no spaces behind it.
  func line(_ cells: [Cell]) -> String {
    // Spaces are appended as bytes. A text of a thousand spaces is made one by one.
    var line: [UInt8] = []
    for index in widths.indices {
      if index > 0 { line += Self.gap.utf8 }
      let cell = cells[index]
      if isCut, cell.width > widths[index] {
        line += cell.filling(widths[index], isOnRight: false).utf8
        continue
      }
      let spaces = repeatElement(UInt8(ascii: " "), count: max(0, widths[index] - cell.width))
      if isOnRight[index] { line += spaces }
      line += cell.text.utf8
      if !isOnRight[index] { line += spaces }
    }
    while line.last == UInt8(ascii: " ") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }
}

extension String {
  /// The same as `forTerminal`, without a look at the properties of each character of ASCII.
  fileprivate var inOneLine: String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    guard utf8.allSatisfy({ $0 < 0x80 }) else { return forTerminal }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + 16)
    for byte in utf8 {
      if (0x20..<0x7F).contains(byte) {
        bytes.append(byte)
      } else {
        bytes += "\\u{\(String(byte, radix: 16, uppercase: true))}".utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
