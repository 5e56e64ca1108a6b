import Foundation
import SnapshotStore

/// Changes the records of a table, or single values, in one session. The old version of the file is kept, and so is its
/// format.
///
/// All commands that change them go through here. A file of the tool's own model is changed with its types, rules
/// and validations. In any other file only the structure is checked.
enum TableChange<Root: Model> {
  /// Changes a table. Nothing is written if `body` throws or changes nothing.
  ///
  /// - Parameters:
  ///   - path: the file, which must exist.
  ///   - name: the table, which must exist.
  ///   - body: changes the records, and returns whether it did.
  static func run<Result>(
    _ path: String, table name: String, _ body: (inout UntypedTable) throws -> (result: Result, isChanged: Bool)
  ) throws -> Result {
    try change(path, table: name) { content in
      var table = try content.requiredTable(name)
      let (result, isChanged) = try body(&table)
      if isChanged { content[table: name] = table }
      return (result, isChanged)
    }
  }

  /// Changes single values. Nothing is written if `body` throws, or returns that it changed none.
  ///
  /// - Returns: how many values `body` changed.
  static func runOnValues(_ path: String, _ body: (inout SnapshotContent<UntypedModel>) throws -> Int) throws -> Int {
    try change(path, table: nil) { content in
      let count = try body(&content)
      return (count, count > 0)
    }
  }

  private static func change<Result>(
    _ path: String, table: String?,
    _ body: (inout SnapshotContent<UntypedModel>) throws -> (result: Result, isChanged: Bool)
  ) throws -> Result {
    // A file that was edited by hand would be written anew, so no change is an error on the way.
    var unchanged: Result?
    do {
      return try write(path, table: table) { content in
        let (result, isChanged) = try body(&content)
        if !isChanged {
          unchanged = result
          throw ExitCode.found
        }
        return result
      }
    } catch {
      if let unchanged { return unchanged }
      throw error
    }
  }

  private static func write<Result>(
    _ path: String, table: String?, _ body: (inout SnapshotContent<UntypedModel>) throws -> Result
  ) throws -> Result {
    let session = try StoreSession<Root>(path: path)
    guard session.exists, try isOfModel(path) else { return try StoreSession<UntypedModel>(path: path).change(body) }
    return try session.change(datingEditsAt: Date()) { content in
      // The binary form has a kind for each kind of value.
      var untyped: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(
        from: try SnapshotFile.encode(content, as: .binary))
      let result = try body(&untyped)
      let changed = try SnapshotFile.encode(untyped, as: .binary)
      do {
        content = try SnapshotFile.decodeContent(from: changed)
      } catch let error as SnapshotError {
        throw error.naming(recordOf: table.flatMap { untyped[table: $0] })
      }
      return result
    }
  }

  private static func isOfModel(_ path: String) throws -> Bool {
    try FileInput(path).model(for: Root.self) is Root.Type
  }
}

extension SnapshotError {
  /// The error of a record that does not fit its type, with the id of the record.
  ///
  /// The position is one of bytes that the user never sees, and the advice is for files of older versions.
  fileprivate func naming(recordOf table: UntypedTable?) -> SnapshotError {
    var error = self
    (error.position, error.advice) = (nil, nil)
    guard let table, let place = dataPath, place.hasPrefix("\(table.name)["), let end = place.firstIndex(of: "]"),
      let index = Int(place[..<end].dropFirst(table.name.count + 1)), index < table.count,
      let id = RecordID(of: table[index], under: RecordID.key(of: table))
    else { return error }
    let properties = place[place.index(after: end)...].drop { $0 == "." }
    error.dataPath = "\(table.name) \(id.shown)" + (properties.isEmpty ? "" : ", \(properties)")
    return error
  }
}

extension UntypedTable {
  /// Replaces the record at a place, if it differs.
  ///
  /// - Returns: whether it differs.
  /// - Throws: a failure for a record that no file can hold.
  mutating func replace(at place: Int, with record: UntypedRecord) throws -> Bool {
    let new = UntypedValue(record)
    try new.requireDepth()
    if new.isSame(as: self[place]) { return false }
    self[place] = new
    return true
  }
}

extension UntypedValue {
  /// Refuses a record or single value that is nested deeper than a file may be. It could be written, but not read.
  func requireDepth() throws {
    // The file itself has two levels.
    if levels(upTo: ReadLimits().depth) + 2 > ReadLimits().depth {
      throw CommandFailure("the content would be nested deeper than the limit of \(ReadLimits().depth - 2)", .badData)
    }
  }

  private func levels(upTo limit: Int) -> Int {
    if limit == 0 { return 0 }
    switch kind {
    case .array: return 1 + ((array ?? []).lazy.map { $0.levels(upTo: limit - 1) }.max() ?? 0)
    case .dictionary:
      return 1 + ((record.map(Array.init) ?? []).lazy.map { $0.value.levels(upTo: limit - 1) }.max() ?? 0)
    default: return 0
    }
  }

  /// Whether two values are written in the same way in every format.
  func isSame(as other: UntypedValue) -> Bool { ExactText(json) == ExactText(other.json) && hasSameKinds(as: other) }

  /// Whether two values with the same JSON are the same. JSON does not tell a text from a date.
  private func hasSameKinds(as other: UntypedValue) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .array: return zip(array ?? [], other.array ?? []).allSatisfy { $0.hasSameKinds(as: $1) }
    case .dictionary:
      return zip(record ?? [:], other.record ?? [:]).allSatisfy { $0.value.hasSameKinds(as: $1.value) }
    default: return true
    }
  }
}
