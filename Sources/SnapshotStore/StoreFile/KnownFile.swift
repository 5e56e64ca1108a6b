import SnapshotFoundation

/// The file as a store last read or wrote it.
struct KnownFile<Root: Model>: Sendable {
  /// The program that has put the file in place.
  enum Origin: Sendable {
    /// This store.
    case own
    /// Another program of this library. At opening, any program.
    case peer
    /// A program of which nobody can say what it has made the file from. Its content was merged.
    ///
    /// - change: what this store had read or saved before, and what it has made of that with this content. Nil if
    ///   nothing was changed, or if others have saved on it.
    /// - isAmbiguous: whether other stores that share the file may make different things of it.
    /// - joined: the content merged with the journal, if another version has that. The file may be replaced again
    ///   before this is saved.
    case foreign(change: Box<ForeignChange>?, isAmbiguous: Bool, joined: Box<Joined>?)
  }

  var status: FileStatus
  /// What a journal calls the file.
  let name: JournalBase
  var origin = Origin.peer
  /// Whether the directory has been synced since.
  var isDurable = true
  /// Whether an unchanged status proves unchanged content.
  var isStatusTrusted = true
  /// Whether the file may become a generation. A file that could not be read, and the first empty one, may not.
  var isWorthKeeping = true
  /// The schema version of the file if it is an older one. The first save then keeps the file under every policy.
  var olderVersion: Int?
  /// How far the journal was written when the file was read; nil if there was none.
  var journal: JournalExtent?
  /// Whether the store has noticed that the file was removed.
  var isMissed = false
  /// Whether the next save has to write the file, because a journal could not say what it holds.
  var needsWholeSave = false
  /// Whether the journal has lines of other processes. What these change in unknown content, no line of this store
  /// can say.
  var hasLinesOfOthers = false
  /// The unknown content of the file and its journal.
  var unknown = UnknownContent()
  /// That of the file alone.
  var fileUnknown = UnknownContent()
  /// The value in the file; nil if it could not be read.
  @Boxed var value: Root?
  /// The current and the earlier values; nil if the value could not be read.
  @Boxed var history: ValueHistory<Root>?
  /// The places of the tables' leaves in the file, if this store wrote it. The value must be held, so that the nodes
  /// that identify leaves do not change.
  var saved: EncodedLeaves?
}

extension KnownFile {
  /// Takes a history that ends with this file. It shares the memory of unknown content with the versions before.
  mutating func take(_ history: ValueHistory<Root>) {
    self.history = history
    let flattened = fileUnknown.flattened
    fileUnknown = history.newest.unknown
    fileUnknown.flattened = flattened
  }

  var isOwn: Bool { if case .own = origin { true } else { false } }
  var isForeign: Bool { if case .foreign = origin { true } else { false } }
  var foreignChange: ForeignChange? { if case .foreign(let change, _, _) = origin { change?.value } else { nil } }
  var isAmbiguous: Bool { if case .foreign(_, let isAmbiguous, _) = origin { isAmbiguous } else { false } }
  var joined: Joined? { if case .foreign(_, _, let joined) = origin { joined?.value } else { nil } }

  /// What other programs have changed since this store read or saved last.
  struct ForeignChange: Sendable {
    let before: SnapshotContent<Root>
    let after: Root
  }

  /// A file merged with a journal that stands on another version of it.
  struct Joined: Sendable {
    /// What the journal calls that version.
    let name: JournalBase
    let end: JournalPosition
    let value: Root
    let unknown: UnknownContent
  }
}

/// A file that is another one than the store knows, until it is accepted.
struct FoundFile<Root: Model>: Sendable {
  let file: KnownFile<Root>
  /// What it holds. With its journal, if others have that.
  let value: Root
  /// The earlier values of the file; nil if they are not known.
  @Boxed var history: ValueHistory<Root>?
  /// What the file and its journal held together when they were read; nil if there was no journal.
  @Boxed var journaled: Root?
  /// The moment of the file that has the value, if its journal goes on from it.
  var position: FilePosition?
  /// Whether nobody can say what it was made from. The stores that share it may make different things of it. One of
  /// them may have merged the file of another program before.
  var isAmbiguous = false
  /// The content merged with the journal, if that stands on another version of the file.
  var joined: KnownFile<Root>.Joined?
  /// How that was merged. Then no file holds the value yet.
  var joining: Joining?

  /// A merge of a file that another program has put in place with the journal that was beside it.
  struct Joining: Sendable {
    var outcome: MergeOutcome
    /// The path under which the file is kept if it loses something.
    var kept: String?
  }

  var content: SnapshotContent<Root> { SnapshotContent(value, file.unknown) }
}
