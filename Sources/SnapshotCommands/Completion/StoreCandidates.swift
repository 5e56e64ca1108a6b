import Foundation
import SnapshotStore

/// The names in a store, for completions. An unreadable or large store has none.
struct StoreCandidates {
  /// A user waits for the completions. Reading that much takes about a fifth of a second.
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

  /// The tables, with the counts of their records.
  func tables() -> [Completed] {
    guard let path, let input = try? FileInput(path),
      let summary = try? SnapshotSummary(of: input.bytes, path: input.name)
    else { return [] }
    return summary.tables.map { Completed($0.name, Counts.text($0.count, "record")) }
  }

  /// The ids of a table, each with the first text of its record.
  func ids(of table: String?) -> [Completed] {
    guard let table = self.table(table) else { return [] }
    let key = RecordID.key(of: table)
    return (0..<table.count).lazy.map { table[$0] }.compactMap { record in
      RecordID(of: record, under: key).map { Completed($0.shown, record.title(besides: key)) }
    }
  }

  /// The properties of the records of a table, with their kinds.
  ///
  /// - Parameter end: what follows a property in the same word; nil if nothing does.
  func properties(of table: String?, before end: String? = nil) -> [Completed] {
    guard let table = self.table(table) else { return [] }
    return PropertyCensus(table.values).properties.map { property in
      Completed(
        PropertyPath(key: property.name).description + (end ?? ""), property.kindWords, isFinished: end == nil)
    }
  }

  private func table(_ name: String?) -> UntypedTable? {
    guard let path, let name else { return nil }
    return try? RecordFile(path).table(name)
  }
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
