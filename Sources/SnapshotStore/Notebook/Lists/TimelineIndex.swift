import Foundation

/// The place of a note in one of the lists that a timeline can show: lists side by side, the newest note of each first.
/// Two numbers that are compared as one, without a branch.
struct TimelineKey: Comparable, Sendable {
  let list: UInt64
  /// The smaller, the newer.
  let age: UInt64

  /// - Parameter date: seconds; one that is no number is the oldest.
  init(list: UInt64, date: Double) {
    self.list = list
    age = Self.age(of: date)
  }

  /// A number that is the smaller, the later a date is.
  static func age(of date: Date) -> UInt64 { age(of: date.timeIntervalSinceReferenceDate) }

  private static func age(of seconds: Double) -> UInt64 {
    ~SortRank.word(seconds == seconds ? seconds : -.infinity)
  }

  /// A number in the order of the keys.
  var rank: SortRank { SortRank(high: list, low: age) }

  private var number: UInt128 { UInt128(truncatingIfNeeded: list) << 64 | UInt128(truncatingIfNeeded: age) }

  static func == (a: TimelineKey, b: TimelineKey) -> Bool { a.number == b.number }
  static func < (a: TimelineKey, b: TimelineKey) -> Bool { a.number < b.number }
}

extension TimelineFilter {
  static let activeList: UInt64 = 0
  static let archivedList: UInt64 = 1
  static let untaggedList: UInt64 = 2

  /// The number of a tag's list: a hash value, so that keys are two plain numbers and quick to compare. Two tags may share
  /// a list, and one may share that of the archived notes; a timeline takes from it what its filter includes.
  static func list(of tag: Tag.ID) -> UInt64 { UInt64(bitPattern: Int64(tag.hashValue)) }

  /// The numbers of the lists that have the notes, each of them in one. All notes are those of two lists, so that they
  /// need no entries of their own.
  var lists: [UInt64] {
    switch self {
    case .all: [Self.activeList, Self.archivedList]
    case .active: [Self.activeList]
    case .archived: [Self.archivedList]
    case .untagged: [Self.untaggedList]
    case .tagged(let id): [Self.list(of: id)]
    }
  }

  func includes(_ note: Note) -> Bool {
    switch self {
    case .all: true
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
      if note.archived { return [TimelineKey(list: TimelineFilter.archivedList, date: date)] }
      var keys: [TimelineKey] = []
      keys.reserveCapacity(1 + max(1, note.tags.count))
      keys.append(TimelineKey(list: TimelineFilter.activeList, date: date))
      if note.tags.isEmpty { keys.append(TimelineKey(list: TimelineFilter.untaggedList, date: date)) }
      for tag in note.tags { keys.append(TimelineKey(list: TimelineFilter.list(of: tag), date: date)) }
      return keys
    })
}
