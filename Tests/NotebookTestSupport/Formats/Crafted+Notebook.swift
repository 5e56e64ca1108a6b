import Foundation
import Testing

@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

extension Crafted {
  /// The tree of a plain note with changes.
  static func note(_ id: Int64, changing changes: KeyValuePairs<String, Item?> = [:]) throws -> Item {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    return try ItemEncoder.item(forRecord: Note(id: id, text: "text", creationDate: date)).changing(changes)
  }
}

/// Expects bytes to be refused as a notebook, and returns the error.
@discardableResult
func expectRefusal(
  of bytes: [UInt8], _ code: SnapshotError.Code, containing text: String = "", at dataPath: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) -> SnapshotError? {
  expectRefusal(
    of: bytes, as: Notebook.self, code, containing: text, at: dataPath, sourceLocation: sourceLocation)
}

@discardableResult
func expectRefusal(
  of text: String, _ code: SnapshotError.Code, containing part: String = "", at dataPath: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) -> SnapshotError? {
  expectRefusal(of: Array(text.utf8), code, containing: part, at: dataPath, sourceLocation: sourceLocation)
}
