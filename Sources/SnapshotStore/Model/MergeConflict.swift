/// A record, or a single value, that two sides changed in ways that cannot both be kept.
public struct MergeConflict: Equatable, Sendable {
  /// The name of the table, or of the single value, in the file.
  public let table: String
  /// The id of the record, described; empty for a single value.
  public let id: String
  /// The properties that both changed, by their keys in the file; empty if it is about the record as a whole.
  public let properties: [String]
  /// What was done about it.
  public let resolution: Resolution

  /// What a merge does about a record that both sides changed.
  public enum Resolution: String, Sendable {
    /// Both changed it: ours was taken, and theirs is in their value only.
    case tookOurs
    /// Both changed it: theirs was taken, and ours is in our value only.
    case tookTheirs
    /// Both changed it, or one side removed it: it is as it was before, and both changes are in their values only.
    case tookBase
    /// We removed it, they changed it: it is there, as they have it.
    case keptTheirChange
    /// They removed it, we changed it: it stays, as we have it.
    case keptOurChange
    /// One side changed it, the other removed it, and the merge was told to: it is gone.
    case removed
    /// Theirs has a key that a unique index allows once, and another record of ours has it: theirs is in their value only.
    case leftTheirsOut
    /// Theirs is as it was saved before, since they had read an older version of the file: ours, which is newer, was taken.
    case tookOursOverOlder
  }

  /// A conflict of a merge of your own.
  public init(table: String, id: String, properties: [String] = [], resolution: Resolution) {
    self.table = table
    self.id = id
    self.properties = properties
    self.resolution = resolution
  }
}

extension MergeConflict: CustomStringConvertible {
  /// The table, the id and the properties, for example `notes 1001, text`.
  public var place: String { ([id.isEmpty ? table : "\(table) \(id)"] + properties).joined(separator: ", ") }

  /// The place and what was done, for example `notes 1001, text: both changed it; ours was taken`.
  public var description: String {
    let (what, done) = words
    return "\(place): \(what)\(done.map { "; \($0)" } ?? "")".escapedForMessage()
  }

  /// The place and what both did, where nothing was done about it.
  var descriptionOfRefusal: String { "\(place): \(words.what)".escapedForMessage() }

  private var words: (what: String, done: String?) {
    switch resolution {
    case .tookOurs: ("both changed it", "ours was taken")
    case .tookTheirs: ("both changed it", "theirs was taken")
    case .tookBase: ("both changed it", "it is as it was before")
    case .keptTheirChange: ("removed here, changed there", "it is there again")
    case .keptOurChange: ("changed here, removed there", "it stays")
    case .removed: ("one side changed it, the other removed it", "it is gone")
    case .tookOursOverOlder: ("theirs is an older version of it", "ours was taken")
    case .leftTheirsOut: ("theirs does not fit beside what is here: a unique key is taken", nil)
    }
  }
}

/// What a merge could not do as both sides would have it.
public struct MergeOutcome: Equatable, Sendable {
  /// What both had changed, and what was done about it.
  public var conflicts: [MergeConflict] = []
  /// What was taken back or mended, because the other side referred to it.
  public var mended: [Violation] = []
}
