public import Foundation
public import SnapshotStore

/// Notes, tags, attachments and tombstones: the model that comes with the library.
///
/// It is plain value code. Mutating functions keep references intact: no id ever refers to a missing record. Put a
/// notebook into a `Store` to share it between threads and to keep it in a file.
public struct Notebook: MendingModel {
  /// The attachments, by id.
  public internal(set) var attachments = Table<Attachment>()
  /// The tombstones of deleted notes, by the notes' ids.
  public internal(set) var deletedNotes = Table<DeletedNote>()
  /// The notes, by id.
  public internal(set) var notes = Table<Note>()
  /// The tags, by id.
  public internal(set) var tags = Table<Tag>()
  /// The sources of dates and ids. They are not saved.
  public var sources: NotebookSources {
    get { sourcesBox.sources }
    set { sourcesBox = SourcesBox(newValue) }
  }

  /// One reference, because every transaction copies the notebook.
  private var sourcesBox = SourcesBox(NotebookSources())

  /// An empty notebook.
  public init() {}

  /// An empty notebook with the given sources.
  public init(sources: NotebookSources) {
    self.sources = sources
  }

  /// The four tables, version 1.
  public static let schema = Schema<Notebook>(name: "notebook", version: 1, tool: "snapshot-cli") {
    Field("attachments", \.attachments)
    Field("deletedNotes", \.deletedNotes)
    Field("notes", \.notes)
    Field("tags", \.tags)
  }
}

/// The sources of a notebook's dates and ids.
///
/// They are part of the value: a transaction that is rolled back returns its ids.
public struct NotebookSources: Sendable {
  /// The date of a change.
  public var now: @Sendable () -> Date
  /// The next id to try for a new note.
  public var noteIDs: any NoteIDSource

  /// The system clock and random ids.
  public init(
    now: @escaping @Sendable () -> Date = { Date() }, noteIDs: any NoteIDSource = RandomNoteIDs()
  ) {
    self.now = now
    self.noteIDs = noteIDs
  }
}

extension Notebook {
  /// Accepts any source. Ids that both sides drew are on their notes by now, and equal ids on both sides are a
  /// conflict.
  public mutating func mergeUnsaved(base: Notebook, theirs: Notebook) -> Bool { true }
}

/// Sources on the heap; immutable.
private final class SourcesBox: Sendable {
  let sources: NotebookSources

  init(_ sources: NotebookSources) { self.sources = sources }
}

/// Proposes ids for new notes. If a proposed id is in use, the notebook takes the next free one.
public protocol NoteIDSource: Sendable {
  /// The next proposal.
  mutating func next() -> Note.ID
}

/// Ids drawn at random from 1000…2^53−1.
public struct RandomNoteIDs: NoteIDSource {
  /// A source.
  public init() {}

  /// A random id.
  public mutating func next() -> Note.ID { .random(in: Note.drawnIDs) }

  /// A source of the many ids of an import, without a system call for each. It is for one import: two copies of it
  /// return the same ids.
  func forMany() -> any NoteIDSource { ManyRandomNoteIDs() }
}

/// Ids from a sequence with a random beginning (SplitMix64, by Steele, Lea and Flood).
private struct ManyRandomNoteIDs: NoteIDSource, RandomNumberGenerator {
  private var state = UInt64.random(in: .min ... .max)

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func next() -> Note.ID { .random(in: Note.drawnIDs, using: &self) }
}

/// Ids in ascending order, for tests and fixtures. The smallest number follows the greatest.
public struct SequentialNoteIDs: NoteIDSource {
  private var following: Note.ID

  /// Ids from the given first one on.
  public init(first: Note.ID = 1000) { following = first }

  /// The id after the last one.
  public mutating func next() -> Note.ID {
    defer { following &+= 1 }
    return following
  }
}

extension Note {
  /// The ids that new notes get.
  static let drawnIDs: ClosedRange<Note.ID> = 1000...(1 << 53) - 1
}
