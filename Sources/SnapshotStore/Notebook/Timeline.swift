public import Foundation

/// Which notes a timeline shows.
public enum TimelineFilter: Hashable, Sendable {
  /// Notes that are not archived.
  case active
  /// Notes that are archived.
  case archived
  /// Notes that are not archived and have no tag.
  case untagged
  /// Notes that are not archived and have a tag.
  case tagged(Tag.ID)
}

/// What a list shows of a note.
///
/// It shares the note's text, and derives from it only what is asked for, each time anew.
public struct TimelineNote: Equatable, Identifiable, Sendable {
  /// The id of the note.
  public let id: Note.ID
  /// What lists are ordered by.
  public let sortDate: Date
  /// Whether the note is put away.
  public let archived: Bool
  /// The first picture of the note.
  public let thumbnailID: Attachment.ID?
  let text: String

  /// The first line that is not blank, without the white space around it; empty if there is none.
  public var title: String { NoteText(text).title }

  /// The first 500 characters of the text, enough for any list.
  public var truncatedText: String { NoteText(text).truncated }

  /// The web addresses in the text, each once, in order; see ``Note/links``.
  public var links: [String] { NoteText(text).links }
}

extension Notebook {
  /// The newest notes of a list, at most `limit`: newest first by their sort dates, those of one date in order of their
  /// ids. O(limit + log n), however many notes there are and whatever else is on them.
  public func timeline(_ filter: TimelineFilter, limit: Int) -> [TimelineNote] {
    guard limit > 0 else { return [] }
    let list = filter.list
    var result: [TimelineNote] = []
    result.reserveCapacity(min(limit, 128))
    notes.forEachRecord(in: Note.byTimeline, from: TimelineKey(list: list, date: .infinity)) { key, note in
      guard key.list == list else { return false }
      if filter.includes(note) {
        result.append(
          TimelineNote(
            id: note.id, sortDate: note.sortDate, archived: note.archived, thumbnailID: thumbnailID(of: note),
            text: note.text))
      }
      return result.count < limit
    }
    return result
  }
}

/// The place of a note in one of the lists that a timeline can show: lists side by side, the newest note of each first.
/// Two numbers that are compared as one, without a branch.
struct TimelineKey: Comparable, Sendable {
  let list: UInt64
  private let age: UInt64

  /// - Parameter date: seconds; one that is no number is the oldest.
  init(list: UInt64, date: Double) {
    self.list = list
    age = ~SortRank.word(date == date ? date : -.infinity)
  }

  /// A number in the order of the keys.
  var rank: SortRank { SortRank(high: list, low: age) }

  private var number: UInt128 { UInt128(truncatingIfNeeded: list) << 64 | UInt128(truncatingIfNeeded: age) }

  static func == (a: TimelineKey, b: TimelineKey) -> Bool { a.number == b.number }
  static func < (a: TimelineKey, b: TimelineKey) -> Bool { a.number < b.number }
}

extension TimelineFilter {
  /// The number of the list. That of a tag is a hash value, so that keys are two plain numbers and quick to compare; two
  /// tags may share a list, and a timeline takes from it what its filter includes.
  var list: UInt64 {
    switch self {
    case .active: 0
    case .archived: 1
    case .untagged: 2
    case .tagged(let id): UInt64(bitPattern: Int64(id.hashValue))
    }
  }

  func includes(_ note: Note) -> Bool {
    switch self {
    case .active: !note.archived
    case .archived: note.archived
    case .untagged: !note.archived && note.tags.isEmpty
    case .tagged(let id): !note.archived && note.tags.contains(id)
    }
  }
}

extension Note {
  /// Notes by the lists that they are in, and their sort dates. A date that is no number is the oldest.
  static let byTimeline = Index<Note, TimelineKey>(
    "timeline",
    isUnaffected: { $0.archived == $1.archived && $0.sortDate == $1.sortDate && $0.tags == $1.tags },
    rank: { $0.rank },
    each: { note in
      let date = note.sortDate.timeIntervalSinceReferenceDate
      if note.archived { return [TimelineKey(list: TimelineFilter.archived.list, date: date)] }
      var keys: [TimelineKey] = []
      keys.reserveCapacity(1 + max(1, note.tags.count))
      keys.append(TimelineKey(list: TimelineFilter.active.list, date: date))
      if note.tags.isEmpty { keys.append(TimelineKey(list: TimelineFilter.untagged.list, date: date)) }
      for tag in note.tags { keys.append(TimelineKey(list: TimelineFilter.tagged(tag).list, date: date)) }
      return keys
    })
}
