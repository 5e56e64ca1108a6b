import Foundation
import SnapshotStore

/// Chooses the values of properties, one after the other.
///
/// With `newest` the result is the same in either direction, and in any order of three copies. The later second wins.
/// Within a second the greater value wins, with the latest date.
struct SyncChoice {
  let rule: SyncRule
  /// Whether some values differed and no date decided.
  private(set) var hasTie = false

  init(rule: SyncRule) { self.rule = rule }

  /// - Parameters:
  ///   - isMissing: whether their value is an empty substitute for one that was not given.
  ///   - isGreater: which of two values wins where no date decides. A total order.
  mutating func choose<Value>(
    _ ours: (value: Value, date: Date?), _ theirs: (value: Value, date: Date?), _ isMissing: Bool,
    isSame: (Value, Value) -> Bool, isGreater: (Value, Value) -> Bool
  ) -> (Value, Date?) {
    let latest = ChangeSecond.later(ours.date, theirs.date)
    if isSame(ours.value, theirs.value) { return (ours.value, latest) }
    // The later date is kept. Otherwise a third copy could bring the overruled value back, or a known date would be
    // lost.
    if rule == .theirs, !isMissing { return (theirs.value, latest) }
    let (mine, other) = (ChangeSecond(ours.date), ChangeSecond(theirs.date))
    if mine != other { return mine > other ? ours : theirs }
    // A value that was not given clears nothing, unless it is newer.
    if isMissing { return (ours.value, latest) }
    hasTie = true
    if rule == .newestOrOurs { return ours }
    return (isGreater(theirs.value, ours.value) ? theirs.value : ours.value, latest)
  }
}

extension String {
  /// The order in which texts win. The longer one wins, so that text typed within a second is not lost; then the bytes
  /// decide.
  func isLonger(than other: String) -> Bool {
    if utf8.count != other.utf8.count { return utf8.count > other.utf8.count }
    return other.utf8.lexicographicallyPrecedes(utf8)
  }
}

extension Array where Element == String {
  /// The order in which lists win: the longer one; then the elements decide.
  func isLonger(than other: [String]) -> Bool {
    count != other.count ? count > other.count : other.lexicographicallyPrecedes(self)
  }
}

extension DeletedNote {
  /// Compares the date of the deletion with the last change of a note of another copy.
  func choice(against note: SyncNote) -> DeletionChoice {
    choice(latestChange: note.latestChange, hasPropertyDates: note.hasPropertyDates)
  }
}

extension Tag {
  /// Whether both tags are equal to the last bit. `==` treats names in different normalisations as equal.
  func hasSameBits(as other: Tag) -> Bool { name.hasSameBytes(as: other.name) && self == other }
}

extension Attachment {
  /// Whether this attachment wins over another one with its id. Attachments are never changed, so there should be only
  /// one.
  func isGreater(than other: Attachment) -> Bool {
    if !mimeType.hasSameBytes(as: other.mimeType) { return mimeType.isLonger(than: other.mimeType) }
    return (height, width) > (other.height, other.width)
  }
}
