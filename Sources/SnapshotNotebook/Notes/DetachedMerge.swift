import Foundation
import SnapshotStore

/// The result of saving a detached copy of a note; see ``Notebook/merge(detached:base:)``.
public struct NoteMerge: Equatable, Sendable {
  /// A property that a user can change, with a modification date of its own.
  public enum Property: String, CaseIterable, Sendable {
    /// The text.
    case text
    /// Whether the note is archived.
    case archived
    /// The date that lists are sorted by.
    case sortDate
    /// The tags. They are one property here, and are merged element by element.
    case tags
    /// The attachments. They are one property here, and are merged element by element.
    case attachments
  }

  /// The note as the notebook has it now.
  public internal(set) var note: Note
  /// The properties that were taken from the copy.
  public internal(set) var taken: [Property] = []
  /// The properties that both sides had changed and that were taken from the copy. The notebook's values are
  /// overwritten.
  public internal(set) var overwritten: [Property] = []
  /// The properties that both sides had changed, the notebook later. The copy's values are only in the copy.
  public internal(set) var leftOut: [Property] = []
}

/// The merge of one note, property by property.
struct DetachedMerge {
  private let copy: Note
  private let base: Note
  private(set) var result: NoteMerge

  init(copy: Note, base: Note, into note: Note) {
    self.copy = copy
    self.base = base
    result = NoteMerge(note: note)
    merge(.text, \.text, \.textModificationDate) { $0.hasSameBytes(as: $1) }
    merge(.archived, \.archived, \.archivedModificationDate, isSame: ==)
    merge(.sortDate, \.sortDate, \.sortDateModificationDate, isSame: ==)
    mergeList(.tags, \.tags, \.tagsModificationDate)
    mergeList(.attachments, \.attachments, \.attachmentsModificationDate)
    if !result.taken.isEmpty { result.note.modificationDate = max(note.modificationDate, copy.modificationDate) }
  }

  private mutating func merge<Value>(
    _ property: NoteMerge.Property, _ value: WritableKeyPath<Note, Value>, _ date: WritableKeyPath<Note, Date?>,
    isSame: (Value, Value) -> Bool
  ) {
    let (mine, changed, common) = (result.note[keyPath: value], copy[keyPath: value], base[keyPath: value])
    if isSame(changed, common) || isSame(changed, mine) { return }
    if !isSame(mine, common) {
      if let mineDate = result.note[keyPath: date], let copyDate = copy[keyPath: date], mineDate > copyDate {
        result.leftOut.append(property)
        return
      }
      result.overwritten.append(property)
    }
    take(property, changed, value, date)
  }

  /// Merges a list, without overwriting either side. Elements that the copy added are added, and elements that it
  /// removed are removed. The copy's order is taken if the notebook has not changed the list.
  private mutating func mergeList(
    _ property: NoteMerge.Property, _ list: WritableKeyPath<Note, [String]>, _ date: WritableKeyPath<Note, Date?>
  ) {
    let (mine, changed, common) = (result.note[keyPath: list], copy[keyPath: list], base[keyPath: list])
    let merged = [String].merging(base: common, ours: mine, theirs: changed)
    if merged != mine { take(property, merged, list, date) }
  }

  /// Takes a value with the later of the two dates. A merge may have set a date for a value that was the same.
  private mutating func take<Value>(
    _ property: NoteMerge.Property, _ new: Value, _ value: WritableKeyPath<Note, Value>,
    _ date: WritableKeyPath<Note, Date?>
  ) {
    result.taken.append(property)
    result.note[keyPath: value] = new
    result.note[keyPath: date] = ChangeSecond.later(copy[keyPath: date], result.note[keyPath: date])
  }
}
