/// The codes of errors.
extension SnapshotError {
  /// The kinds of failure. Each constant says when it is thrown and what helps.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name for logs and JSON.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    // MARK: Files

    /// There is no file at the path. Check the spelling, or open a store that may create the file.
    public static let fileNotFound = Code(rawValue: "fileNotFound")
    /// The path names a directory, a device, a pipe or a link to nothing. Name a regular file.
    public static let notRegularFile = Code(rawValue: "notRegularFile")
    /// A system call failed before anything was replaced. The file is unchanged. `systemError` has the cause.
    public static let ioFailed = Code(rawValue: "ioFailed")
    /// The file was replaced, but the directory could not be synced. After a power cut the path has the old content or
    /// the new content, each complete. Save again. The same after a journal could not be synced.
    public static let indeterminate = Code(rawValue: "indeterminate")
    /// The file exists and would be replaced. Allow that in the call, or choose another name.
    public static let fileExists = Code(rawValue: "fileExists")
    /// The name belongs to a file that a store keeps beside its own: a lock, a temporary file, the folder of
    /// generations. Such a file can be read but not written. Choose another name. The code is also used if another kind
    /// of file has the name of the lock. The message names it. Move it away, because a store would overwrite it.
    public static let reservedName = Code(rawValue: "reservedName")
    /// Another program changed the file since it was opened or last saved. It has not been overwritten. Open it again
    /// and repeat the change, or move one of the two versions to another name.
    public static let changedExternally = Code(rawValue: "changedExternally")

    /// Another store, of this process or another one, has the file open for writing. The message names it. Wait, or
    /// open the file for reading only.
    public static let locked = Code(rawValue: "locked")

    /// Stores cannot share the file, because its folder is on a network file system. Open the file with exclusive
    /// access, or move it to a disk of this machine. A local file system without locks gives `ioFailed`.
    public static let notShareable = Code(rawValue: "notShareable")

    // MARK: Bytes

    /// The file is larger than the limit. If you trust the file, raise the limit.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The file has no bytes. No save of this library leaves an empty file. Restore it from a backup.
    public static let emptyFile = Code(rawValue: "emptyFile")
    /// The bytes are neither JSON nor a property list.
    public static let unknownFormat = Code(rawValue: "unknownFormat")
    /// The bytes break the rules of their format. `position` says where.
    public static let malformed = Code(rawValue: "malformed")
    /// The bytes are well formed, but nested deeper or larger than the limits.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// The checksum in the file does not match its content. Accept an edit that you made, or restore from a backup.
    public static let checksumMismatch = Code(rawValue: "checksumMismatch")
    /// A line of the journal beside the file is damaged, and more follows. Or its first line is missing. `position`
    /// says which line. Restore the file and its journal from a backup, or save what can be read of both.
    public static let damagedJournal = Code(rawValue: "damagedJournal")
    /// The journal beside the file has changes for another version of the file. Another program replaced or edited the
    /// file. Open the store for writing, which merges both. The code is also used for a journal of another schema. Move
    /// that journal away.
    public static let foreignJournal = Code(rawValue: "foreignJournal")

    // MARK: Content

    /// The file is not a snapshot, or is a snapshot of another schema.
    public static let wrongSchema = Code(rawValue: "wrongSchema")
    /// The file was written by a newer version of the schema. Use the newer program.
    public static let newerVersion = Code(rawValue: "newerVersion")
    /// The file was written by an older version of the schema, and no migration leads from it. Add the missing
    /// migrations, or use the older program.
    public static let olderVersion = Code(rawValue: "olderVersion")
    /// A step of a ``Migration`` failed. The message names the step, and `dataPath` the value. The file is unchanged.
    public static let migrationFailed = Code(rawValue: "migrationFailed")
    /// A value has the wrong type or is out of range. `dataPath` names it.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// A value that must be there is missing.
    public static let missingKey = Code(rawValue: "missingKey")
    /// The schema does not know a key or a table. A store keeps unknown tables, and unknown keys of records. The file
    /// is not opened if an unknown key is elsewhere, or if the reader cannot keep it.
    public static let unknownKey = Code(rawValue: "unknownKey")
    /// Two records have the same id, or two members the same key.
    public static let duplicate = Code(rawValue: "duplicate")
    /// A record could not be encoded: its `encode(to:)` threw an error, or it is nested too deep. Or a name would be in
    /// the file twice. `dataPath` has the place.
    public static let unencodable = Code(rawValue: "unencodable")

    // MARK: Tables and stores

    /// `insert` was given an id that the table already holds. Choose another id, or call `upsert`.
    public static let idTaken = Code(rawValue: "idTaken")
    /// A unique index holds the key for another record.
    public static let uniqueKeyTaken = Code(rawValue: "uniqueKeyTaken")
    /// There is no record with the id.
    public static let recordNotFound = Code(rawValue: "recordNotFound")
    /// The store was opened for reading only.
    public static let readOnly = Code(rawValue: "readOnly")
    /// Two threads each wait for a store that the other one is changing. This transaction was rolled back. Try again,
    /// and nest transactions on several stores in the same order everywhere. Or a flush would wait for the code that
    /// calls it: a transaction, a rule, a validation, a merge policy or `onExternalChange`. Flush when that code has
    /// returned.
    public static let wouldDeadlock = Code(rawValue: "wouldDeadlock")
    /// The store is suspended, so it saves nothing. Its changes stay in memory. Call ``Store/resume()`` first.
    public static let suspended = Code(rawValue: "suspended")
    /// The store was closed.
    public static let closed = Code(rawValue: "closed")
  }
}
