public import Foundation
import SnapshotStore

/// The sources of a notebook's dates and ids.
///
/// They are part of the value: a transaction that is rolled back returns its ids.
public struct NotebookSources: Sendable {
  /// The date of a change.
  public var now: @Sendable () -> Date
  /// Proposes the id of a new note, given the id of the last one; nil draws ids at random from 1000…2^53−1.
  ///
  /// If a proposed id is in use, the notebook takes the next free one.
  ///
  /// ```swift
  /// // 1000, 1001, 1002 …
  /// notebook.sources.nextNoteID = { last in (last ?? 999) + 1 }
  /// ```
  public var nextNoteID: (@Sendable (_ last: Note.ID?) -> Note.ID)? {
    didSet { lastNoteID = nil }
  }
  /// The id that was taken for the last proposal of `nextNoteID`.
  var lastNoteID: Note.ID?

  /// The system clock and random ids.
  public init(
    now: @escaping @Sendable () -> Date = { Date() }, nextNoteID: (@Sendable (_ last: Note.ID?) -> Note.ID)? = nil
  ) {
    self.now = now
    self.nextNoteID = nextNoteID
  }
}

/// The ids of new notes, one after the other.
struct NoteIDs {
  private let nextNoteID: (@Sendable (Note.ID?) -> Note.ID)?
  /// The last id; nil if there was none, or ids are random.
  private(set) var last: Note.ID?
  private var random = RandomSequence()

  /// Continues after the last id of the sources.
  init(_ sources: NotebookSources) {
    nextNoteID = sources.nextNoteID
    last = sources.lastNoteID
  }

  /// The proposed id, or the next one after it that is free.
  mutating func next(where isFree: (Note.ID) -> Bool) -> Note.ID {
    var id = nextNoteID?(last) ?? .random(in: Note.drawnIDs, using: &random)
    while id < 0 || !isFree(id) {
      id = id >= 0 && id < Note.drawnIDs.upperBound ? id + 1 : Note.drawnIDs.lowerBound
    }
    if nextNoteID != nil { last = id }
    return id
  }
}

/// Numbers from a sequence with a random beginning, without a system call for each (SplitMix64, by Steele, Lea and
/// Flood).
private struct RandomSequence: RandomNumberGenerator {
  private var state = UInt64.random(in: .min ... .max)

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

extension Note {
  /// The ids that new notes get.
  static let drawnIDs: ClosedRange<Note.ID> = 1000...(1 << 53) - 1
}
