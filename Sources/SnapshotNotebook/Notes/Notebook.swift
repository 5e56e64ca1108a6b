import Foundation
public import SnapshotStore

/// Notes, tags, attachments and tombstones: the model that comes with the library.
///
/// ```swift
/// var notebook = Notebook()
/// let paris = notebook.tag(named: "Paris")
/// let note = try notebook.addNote(text: "Café de Flore", tags: [paris.id])
/// try notebook.archive(note.id)
/// let found = notebook.search("cafe", in: .archived)
/// print(found.map(\.title))                       // ["Café de Flore"]
/// ```
///
/// It is plain value code. Mutating functions keep references intact: no id ever refers to a missing record. Put a
/// notebook into a `Store` to share it between threads and to keep it in a file.
public struct Notebook: RepairingModel {
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

  /// The four tables, version 1. Other modules cannot change the tables in place, and the functions here keep what the
  /// schema promises.
  public static let schema = Schema(
    "notebook", version: 1,
    Field("attachments", \Notebook.attachments),
    Field("deletedNotes", \Notebook.deletedNotes),
    Field("notes", \Notebook.notes),
    Field("tags", \Notebook.tags),
    relations: [
      Relation(\.notes, Note.byTag, to: \.tags, onRemove: .clear(\.tags)),
      Relation(\.notes, Note.byAttachment, to: \.attachments, onRemove: .clear(\.attachments)),
    ],
    validations: validations,
    tombstones: [
      Tombstones(
        of: \.notes, in: \.deletedNotes, now: { $0.sources.now() }, lastChange: { $0.latestModificationDate })
    ],
    settlesTransactions: false)
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
