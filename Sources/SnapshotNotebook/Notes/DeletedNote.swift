public import SnapshotStore

/// The tombstone of a deleted note. The schema of the notebook keeps the tombstones right; see `Tombstones`.
public typealias DeletedNote = Tombstone<Note>
