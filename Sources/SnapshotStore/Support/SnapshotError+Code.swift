/// What can go wrong.
extension SnapshotError {
  /// The kinds of failure. Each constant says when it is thrown and what helps.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name, fit for logs and for JSON.
    public let rawValue: String

    /// A code by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    // MARK: Files

    /// There is no file at the path. Check the spelling; a store that may be created is opened, not read.
    public static let fileNotFound = Code(rawValue: "fileNotFound")
    /// The path names a directory, a device, a pipe or a link to nothing. Name a regular file.
    public static let notRegularFile = Code(rawValue: "notRegularFile")
    /// A system call failed before anything was replaced: the file is as it was. `systemError` says why.
    public static let ioFailed = Code(rawValue: "ioFailed")
    /// The file was replaced, but the directory could not be synced: after a power cut the path holds the old or the
    /// new content, each complete. Save again.
    public static let indeterminate = Code(rawValue: "indeterminate")
    /// The file exists and would have to be replaced. Ask for that, or choose another name.
    public static let fileExists = Code(rawValue: "fileExists")
    /// The name of the file belongs to something that a store puts beside another file: a lock, a temporary file, the folder of
    /// older versions. Such a file can be read, but not written; choose another name. Or something else has the name of the
    /// lock of the file, and would be lost; the message names it. Move it away.
    public static let reservedName = Code(rawValue: "reservedName")
    /// The file was changed by someone else since it was opened or last saved, and has not been overwritten. Open it
    /// again and repeat the change, or move one of the two aside.
    public static let changedOutside = Code(rawValue: "changedOutside")

    /// Another store, of this or another process, has the file open for writing; the message says which. Wait, or open the
    /// file for reading only.
    public static let locked = Code(rawValue: "locked")

    // MARK: Bytes

    /// The file is larger than the limit. Raise the limit if it is yours.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The file has no bytes at all, which no save of this library leaves behind. Restore it from a backup.
    public static let emptyFile = Code(rawValue: "emptyFile")
    /// The bytes are neither JSON nor a property list.
    public static let unknownFormat = Code(rawValue: "unknownFormat")
    /// The bytes break the rules of their format. `position` says where.
    public static let malformed = Code(rawValue: "malformed")
    /// The bytes are well formed, but nested deeper or larger than the limits.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// The checksum in the file is not that of its content. Accept an edit of yours, or restore from a backup.
    public static let checksumMismatch = Code(rawValue: "checksumMismatch")

    // MARK: Content

    /// The file is not a snapshot, or one of another schema.
    public static let wrongSchema = Code(rawValue: "wrongSchema")
    /// The file was written by a newer version of the schema. Use the newer program.
    public static let newerVersion = Code(rawValue: "newerVersion")
    /// The file was written by an older version of the schema, from which there is no migration. Give the schema
    /// the steps that lead from it, or use the older program.
    public static let olderVersion = Code(rawValue: "olderVersion")
    /// A step of a ``Migration`` failed; the message says which, and the places where. The file is as it was.
    public static let migrationFailed = Code(rawValue: "migrationFailed")
    /// A value has the wrong type or is out of range. `dataPath` says which.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// A value that must be there is missing.
    public static let missingKey = Code(rawValue: "missingKey")
    /// A key or a table that the schema does not know. A store keeps those of tables and records; elsewhere, and where whoever
    /// reads could not keep it, the file is not opened.
    public static let unknownKey = Code(rawValue: "unknownKey")
    /// Two records have one id, or two members one key.
    public static let duplicate = Code(rawValue: "duplicate")
    /// A record could not be encoded: its `encode(to:)` threw, or it is nested too deep. Or the format has no place for what the schema does
    /// not know: XML lacks some characters, such as U+0000. `dataPath` says where. Choose another format.
    public static let unencodable = Code(rawValue: "unencodable")

    // MARK: Tables and stores

    /// `insert` was given an id that the table holds. Choose another, or `upsert`.
    public static let idTaken = Code(rawValue: "idTaken")
    /// A unique index holds the key for another record.
    public static let uniqueKeyTaken = Code(rawValue: "uniqueKeyTaken")
    /// There is no record with the id.
    public static let recordNotFound = Code(rawValue: "recordNotFound")
    /// The store was opened for reading only.
    public static let readOnly = Code(rawValue: "readOnly")
    /// Two threads wait for stores that the other is changing. This one gave way; nothing of its transaction remains. Try
    /// again, and nest transactions on several stores in one order.
    public static let wouldDeadlock = Code(rawValue: "wouldDeadlock")
    /// The store was closed.
    public static let closed = Code(rawValue: "closed")
  }
}
