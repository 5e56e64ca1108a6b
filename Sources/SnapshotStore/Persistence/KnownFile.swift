import SnapshotFoundation

/// The file as a store last read or wrote it.
struct KnownFile<Root: Model>: Sendable {
  var status: FileStatus
  /// The checksum in the file; nil if it has none.
  var checksum: UInt32?
  /// The checksum of all bytes, for a file without a checksum.
  var digest: UInt32?
  /// Whether the directory has been synced since.
  var isDurable = true
  /// Whether this store has written the file.
  var isOwn = false
  /// Whether an unchanged status proves unchanged content.
  var isStatusTrusted = true
  /// Whether the file may become a generation. A file that could not be read, and the first empty one, may not.
  var isWorthKeeping = true
  /// The schema version of the file if it is an older one. The first save then keeps the file under every policy.
  var olderVersion: Int?
  /// How far the journal was written when the file was read; nil if there was none.
  var journal: JournalExtent?
  /// Whether another program has put the file in place, and its content was merged.
  var isMerged = false
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
  /// What the file and its journal held together when they were read; nil if there was no journal.
  @Boxed var journaled: Root?
  /// What the stores that share the file make of it, if another program has put it in place. Each merges it with what
  /// they had saved before. The next save is made from that.
  @Boxed var expected: Root?
  /// Whether the stores that share the file may make different things of it. A store has made it from more than one
  /// version, or nobody can say what the stores knew before.
  var isAmbiguous = false
  /// Whether a store may have merged the file of another program since the last version that is known here.
  var isBehindMerge = false
  /// The content merged with the journal, if another program has replaced the version on which that stands. It may
  /// replace the file again before this is saved.
  @Boxed var joined: Joined?
  /// How that was merged, if the journal stands on another version of the file. Then no file holds the value yet.
  var joining: Joining?
  /// The current and the earlier values; nil if the value could not be read.
  @Boxed var history: ValueHistory<Root>?
  /// The places of the tables' leaves in the file, if this store wrote it. The value must be held, so that the nodes
  /// that identify leaves do not change.
  var saved: EncodedLeaves?
}

extension KnownFile {
  /// What a journal calls the file; nil if that is not known.
  var journalName: JournalBase? {
    if let checksum { return JournalBase(sum: .checksum(checksum), size: status.size) }
    return digest.map { JournalBase(sum: .digest($0), size: status.size) }
  }

  /// A file merged with a journal that stands on another version of it.
  struct Joined: Sendable {
    /// What the journal calls that version.
    let name: JournalBase
    let end: JournalPosition
    let value: Root
    let unknown: UnknownContent
  }

  /// A merge of a file that another program has put in place with the journal that was beside it.
  struct Joining: Sendable {
    var outcome: MergeOutcome
    /// The path under which the file is kept if it loses something.
    var kept: String?
  }
}
