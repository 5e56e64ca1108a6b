import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Finds notes by their text.
struct SearchCommand: StoreCommand {
  static let name = "search"
  static let summary = "List the active notes that contain all words, newest first"
  static let parameters: [Parameter] = [
    .operand(
      "WORD", .text,
      """
      a word, which may be a part of a longer word. Case and accents are ignored, and so are commas, full stops,
      quotation marks and brackets around it
      """
    ).repeated,
    .option("--tag", "NAME", .tagName, "search only notes with a tag"),
    .flag("--all", "include archived notes").excluding("--archived"),
    .flag("--archived", "search only archived notes"),
    .option("--limit", "N", .number(1...Int.max), short: "n", "list only the newest N notes"),
    .flag("--json", "print an array of notes as in the file, with the derived title and links"), .store,
  ]
  static let discussion = """
    Each line has the id, the day, the title and the tags of a note. If no word is in the title, another line shows the
    first match.
    """

  private let session: StoreSession<Notebook>
  private let printsJSON: Bool
  private let archived: Bool?
  private let tag: String?
  private let limit: Int
  private let query: SearchQuery

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    printsJSON = arguments.flag("--json")
    let (all, onlyArchived) = (arguments.flag("--all"), arguments.flag("--archived"))
    archived = all ? nil : onlyArchived
    tag = arguments.option("--tag")
    limit = arguments.number("--limit") ?? .max
    query = SearchQuery(arguments.operands("WORD").joined(separator: " "))
    if query.isEmpty { throw arguments.usage("there is no word to search for") }
  }

  func run() throws {
    let notebook = try session.read()
    let filter = NoteFilter(archived: archived, tag: try tag.map { try notebook.requiredTag(named: $0).id })
    let notes = notebook.search(query, in: filter, limit: limit).compactMap { notebook.notes[$0.id] }
    let listing = NoteListing(notes, in: notebook, of: session)
    if printsJSON { return try listing.printJSON() }
    try listing.printLines { note in
      if query.firstMatch(in: note.title) != nil { return nil }
      return excerpt(of: note.text)
    }
  }

  /// A line with the first match and some text around it.
  private func excerpt(of text: String) -> StyledText? {
    guard let match = query.firstMatch(in: text) else { return nil }
    let start = text.index(match.lowerBound, offsetBy: -30, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(match.upperBound, offsetBy: 40, limitedBy: text.endIndex) ?? text.endIndex
    let words = text[start..<match.lowerBound].drop(while: \.isWhitespace)
    let before = (start > text.startIndex ? "…" : "") + words.inOneLine
    let after = text[match.upperBound..<end].inOneLine + (end < text.endIndex ? "…" : "")
    return before + Terminal.output.bold(text[match].inOneLine) + after
  }
}

extension Substring {
  /// The text with a single space for each run of white space, safe for a terminal.
  fileprivate var inOneLine: String {
    split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace).map { String($0).forTerminal }
      .reduce(into: (text: "", isFirst: true)) { line, word in
        if !line.isFirst, !line.text.hasSuffix(" ") { line.text += " " }
        line.text += word
        line.isFirst = false
      }.text
  }
}
