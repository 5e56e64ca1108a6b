import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Lists notes.
struct ListCommand: StoreCommand {
  static let name = "list"
  static let summary = "List the active notes, newest first"
  static let parameters: [Parameter] = [
    .store("FILE", "a store of notes"),
    .flag("--all", "include archived notes").excluding("--archived", "--untagged"),
    .flag("--archived", "list only archived notes").excluding("--untagged"),
    .flag("--untagged", "list only active notes without a tag").excluding("--tag"),
    .option(
      "--tag", "NAME", .tagName, "list only notes with a tag; with --all or --archived, archived notes count too"),
    .day("--since", "list only notes of this day and later, such as 2026-01-31"),
    .day("--until", "list only notes of this day and earlier"),
    .option("--sort", "ORDER", .words(NoteOrder.candidates), short: "s", "the order; by default “date”"),
    .flag("--reverse", "list in the opposite order"),
    .option("--limit", "N", .number(1...Int.max), short: "n", "list only the first N notes"),
    .flag("--json", "print an array of notes as in the file, with the derived title and links"),
  ]
  static let discussion = """
    Each line has the id, the day, the title and the tags of a note. Archived notes are marked. The day is that of the
    sort date, in UTC: when the note was made, or last archived or unarchived.

    On a terminal, a line begins with the place of the note: commands take @3 for the third of the last list. Titles
    are cut to the width. A pipe or a file gets whole lines without places.
    """

  private let session: StoreSession<Notebook>
  private let printsJSON: Bool
  private let filter: NoteFilter
  private let tag: String?
  private let order: NoteOrder
  private let isReversed: Bool
  private let limit: Int

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    printsJSON = arguments.flag("--json")
    let (all, archived, untagged) = (
      arguments.flag("--all"), arguments.flag("--archived"), arguments.flag("--untagged")
    )
    var filter: NoteFilter = all ? .all : archived ? .archived : untagged ? .untagged : .active
    filter.earliest = arguments.day("--since")
    filter.end = arguments.day("--until").map { $0 + 86_400 }
    self.filter = filter
    tag = arguments.option("--tag")
    order = arguments.value("--sort") ?? .date
    isReversed = arguments.flag("--reverse")
    limit = arguments.number("--limit") ?? .max
  }

  func run() throws {
    let notebook = try session.read()
    let listing = NoteListing(try notes(of: notebook), in: notebook, of: session)
    if printsJSON { return try listing.printJSON() }
    try listing.printLines()
  }

  private func notes(of notebook: Notebook) throws -> [Note] {
    var filter = filter
    filter.tag = try tag.map { try notebook.requiredTag(named: $0).id }
    // Only the first notes of the timeline's own order can be had without all others.
    let isTimeline = order == .date && !isReversed
    let found = notebook.timeline(filter, limit: isTimeline ? limit : .max).compactMap { notebook.notes[$0.id] }
    if isTimeline { return found }
    let sorted = order.sorted(found)
    return Array((isReversed ? sorted.reversed() : sorted).prefix(limit))
  }
}
