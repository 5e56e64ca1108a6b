import Foundation
import SnapshotStore

/// The place of a note in one list of the timeline, as one number that is compared without a branch.
///
/// The upper half is the number of the list, the lower half the age of the note. The entries of a list are adjacent,
/// newest note first.
enum TimelineKey {
  static func number(list: UInt64, age: UInt64) -> UInt128 {
    UInt128(truncatingIfNeeded: list) << 64 | UInt128(truncatingIfNeeded: age)
  }

  static func list(of key: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: key >> 64) }

  static func age(of key: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: key) }

  /// A number that decreases with later dates. A date that is not a number is the oldest.
  static func age(of date: Date) -> UInt64 {
    let seconds = date.timeIntervalSinceReferenceDate
    // The bits of numbers sort like the numbers, except for the sign. Adding 0 turns -0 into 0.
    let bits = ((seconds == seconds ? seconds : -.infinity) + 0).bitPattern
    return ~(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
  }
}

extension TimelineFilter {
  static let activeList: UInt64 = 0
  static let archivedList: UInt64 = 1
  static let untaggedList: UInt64 = 2

  /// The number of a tag's list: a hash value, so that keys are two plain numbers and quick to compare. Two tags may
  /// share a list, and a tag may share the list of the archived notes. A timeline takes only the notes that its filter
  /// includes.
  static func list(of tag: Tag.ID) -> UInt64 { UInt64(bitPattern: Int64(tag.hashValue)) }

  /// The numbers of the lists that contain the notes, each note in one of them. All notes are the active and the
  /// archived ones together, so they need no entries of their own.
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
  /// Notes by their lists and sort dates; see ``TimelineKey``.
  static let byTimeline = Index<Note, UInt128>(
    "timeline",
    isUnaffected: { $0.archived == $1.archived && $0.sortDate == $1.sortDate && $0.tags == $1.tags },
    each: { note in
      let age = TimelineKey.age(of: note.sortDate)
      if note.archived { return [TimelineKey.number(list: TimelineFilter.archivedList, age: age)] }
      var keys: [UInt128] = []
      keys.reserveCapacity(1 + max(1, note.tags.count))
      keys.append(TimelineKey.number(list: TimelineFilter.activeList, age: age))
      if note.tags.isEmpty { keys.append(TimelineKey.number(list: TimelineFilter.untaggedList, age: age)) }
      for tag in note.tags { keys.append(TimelineKey.number(list: TimelineFilter.list(of: tag), age: age)) }
      return keys
    })
}
