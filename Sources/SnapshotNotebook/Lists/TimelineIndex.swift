import Foundation
public import SnapshotStore

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

extension Note {
  /// All indexes of notes.
  public static let indexes = Indexes(byTag, byAttachment, byTimeline)

  /// Notes by their lists and sort dates; see ``TimelineKey``.
  static let byTimeline = Index<Note, UInt128>(
    "timeline",
    isUnaffected: { $0.archived == $1.archived && $0.sortDate == $1.sortDate && $0.tags == $1.tags },
    each: { note in
      let age = TimelineKey.age(of: note.sortDate)
      if note.archived { return [TimelineKey.number(list: NoteFilter.archivedList, age: age)] }
      var keys: [UInt128] = []
      keys.reserveCapacity(1 + max(1, note.tags.count))
      keys.append(TimelineKey.number(list: NoteFilter.activeList, age: age))
      if note.tags.isEmpty { keys.append(TimelineKey.number(list: NoteFilter.untaggedList, age: age)) }
      for tag in note.tags { keys.append(TimelineKey.number(list: NoteFilter.list(of: tag), age: age)) }
      return keys
    })
}
