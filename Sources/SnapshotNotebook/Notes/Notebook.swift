public import Foundation
public import SnapshotStore

/// Notes, tags, attachments and tombstones: the model that comes with the library.
///
/// All of it is plain value code. What refers to each other stays together: the mutating functions leave no id behind
/// that leads nowhere. Put a notebook into a `Store` to share it between threads and to keep it in a file.
public struct Notebook: MendingModel {
  /// The attachments, by id.
  public internal(set) var attachments = Table<Attachment>()
  /// The tombstones of deleted notes, by the notes' ids.
  public internal(set) var deletedNotes = Table<DeletedNote>()
  /// The notes, by id.
  public internal(set) var notes = Table<Note>()
  /// The tags, by id.
  public internal(set) var tags = Table<Tag>()
  /// Where dates and ids come from. Not saved.
  public var sources: NotebookSources {
    get { sourcesBox.sources }
    set { sourcesBox = SourcesBox(newValue) }
  }

  /// One reference, because a notebook is copied by every transaction.
  private var sourcesBox = SourcesBox(NotebookSources())

  /// An empty notebook.
  public init() {}

  /// An empty notebook with sources of its own.
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

/// Where a notebook's dates and ids come from.
///
/// It is part of the value: a transaction that is thrown away gives its ids back.
public struct NotebookSources: Sendable {
  /// The date of a change.
  public var now: @Sendable () -> Date
  /// The next id to try for a new note.
  public var noteIDs: any NoteIDSource

  /// The machine's clock, and random ids.
  public init(
    now: @escaping @Sendable () -> Date = { Date() }, noteIDs: any NoteIDSource = RandomNoteIDs()
  ) {
    self.now = now
    self.noteIDs = noteIDs
  }
}

extension Notebook {
  /// Ids that both sides have drawn are on their notes by now; if both have drawn the same, these are in conflict. So any source will do.
  public mutating func mergeUnsaved(base: Notebook, theirs: Notebook) -> Bool { true }
}

/// Sources on the heap; never changed.
private final class SourcesBox: Sendable {
  let sources: NotebookSources

  init(_ sources: NotebookSources) { self.sources = sources }
}

/// Proposes ids for new notes. The notebook takes the next free one after a proposal that is in use.
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

  /// A source of as many ids as an import needs, without a call of the system for each. It is for one import: two copies of it give the
  /// same ids.
  func forMany() -> any NoteIDSource { ManyRandomNoteIDs() }
}

/// Ids from a sequence that begins at random (SplitMix64, by Steele, Lea and Flood).
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

  /// Ids from a first one on.
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
