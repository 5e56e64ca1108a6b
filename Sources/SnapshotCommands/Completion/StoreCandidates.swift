import Foundation
import SnapshotStore

/// The names in a store, for completions. An unreadable or large store has none.
struct StoreCandidates {
  /// A user waits for the completions. Reading that much twice takes a quarter of a second of one processor.
  static let sizeLimit = 32 << 20

  /// The path of the store; nil if it must not be read.
  let path: String?

  /// - Parameter home: the folder that a tilde at the beginning of the path means. Shells pass it unexpanded.
  init(_ path: String?, home: String?) {
    guard let path, path != "-" else {
      self.path = nil
      return
    }
    let expanded = path.expandingTilde(home)
    var status = stat()
    let isReadable =
      stat(expanded, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size <= Self.sizeLimit
    self.path = isReadable ? expanded : nil
  }

  private var input: FileInput? { path.flatMap { try? FileInput($0) } }

  /// The tables, with the counts of their records.
  func tables() -> [Completed] {
    guard let input, let summary = try? SnapshotSummary(of: input.bytes, path: input.name) else { return [] }
    return summary.tables.map { Completed($0.name, Counts.text($0.count, "record")) }
  }

  /// The ids of a table that begin with a text, in any case, each with the first text of its record.
  func ids(of table: String?, beginningWith text: String) -> [Completed] {
    guard let input, let table, let content = try? input.content(of: table, folding: FirstRecord()).content,
      let first = try? content.requiredTable(table)
    else { return [] }
    let search = IDSearch(key: RecordID.key(of: first), beginning: text.lowercased())
    return (try? input.content(of: table, folding: search).fold.found) ?? []
  }

  /// The single values.
  ///
  /// - Parameter end: what follows a name in the same word.
  func values(before end: String) -> [Completed] {
    guard let input, let summary = try? SnapshotSummary(of: input.bytes, path: input.name) else { return [] }
    return summary.values.map { Completed(PropertyPath(key: $0).description + end, "", isFinished: false) }
  }

  /// The properties of the records of a table, with their kinds.
  ///
  /// - Parameter end: what follows a property in the same word; nil if nothing does.
  func properties(of table: String?, before end: String? = nil) -> [Completed] {
    guard let input, let table, let census = try? input.content(of: table, folding: PropertyCensus()).fold else {
      return []
    }
    return census.properties.map { property in
      Completed(
        PropertyPath(key: property.name).description + (end ?? ""), property.kindWords, isFinished: end == nil)
    }
  }
}

/// Keeps the first record only. It tells which property is the id if the file does not say so.
private struct FirstRecord: RecordFold {
  private var isEmpty = true

  mutating func add(_ record: UntypedValue) -> Bool {
    defer { isEmpty = false }
    return isEmpty
  }

  mutating func append(_ next: FirstRecord) { isEmpty = isEmpty && next.isEmpty }
}

/// Finds ids with a beginning, and keeps no record.
private struct IDSearch: RecordFold {
  let key: String?
  /// In lower case.
  let beginning: String
  private(set) var found: [Completed] = []

  init(key: String?, beginning: String) {
    self.key = key
    self.beginning = beginning
  }

  mutating func add(_ record: UntypedValue) -> Bool {
    guard found.count < CompletionReply.most, let id = RecordID(of: record, under: key)?.shown,
      beginning.isEmpty || id.lowercased().hasPrefix(beginning)
    else { return false }
    found.append(Completed(id, record.title(besides: key)))
    return false
  }

  mutating func append(_ next: IDSearch) { found += next.found.prefix(CompletionReply.most - found.count) }
}

extension UntypedValue {
  /// The first line of the first text that is not the id.
  fileprivate func title(besides key: String?) -> String {
    let texts = (record.map(Array.init) ?? []).lazy.filter { $0.key != key }.compactMap(\.value.text)
    return texts.first { !$0.isEmpty }?.split(separator: "\n").first.map(String.init) ?? ""
  }
}

extension String {
  /// The path with a folder for `~/` at its beginning.
  func expandingTilde(_ home: String?) -> String {
    guard let home, hasPrefix("~/") else { return self }
    return home + dropFirst()
  }
}
