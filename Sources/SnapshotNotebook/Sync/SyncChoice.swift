import Foundation
import SnapshotStore

/// Decides, one after the other, which value of a property is the one to keep.
///
/// By `newest` the result is the same in either direction, and in any order of three: the later second wins, and within a
/// second the greater value, with the latest date.
struct SyncChoice {
  let rule: SyncRule
  /// Whether values differed about which no date decides.
  private(set) var hasTie = false

  init(rule: SyncRule) { self.rule = rule }

  /// - Parameters:
  ///   - isMissing: whether theirs is an empty value that stands for one that was not given.
  ///   - isGreater: which of two values wins where no date decides. A total order.
  mutating func choose<Value>(
    _ ours: (value: Value, date: Date?), _ theirs: (value: Value, date: Date?), _ isMissing: Bool,
    isSame: (Value, Value) -> Bool, isGreater: (Value, Value) -> Bool
  ) -> (Value, Date?) {
    let latest = ChangeSecond.later(ours.date, theirs.date)
    if isSame(ours.value, theirs.value) { return (ours.value, latest) }
    // With the later date: what was overruled here must not come back from a third copy, nor a known date be lost.
    if rule == .theirs, !isMissing { return (theirs.value, latest) }
    let (mine, other) = (ChangeSecond(ours.date), ChangeSecond(theirs.date))
    if mine != other { return mine > other ? ours : theirs }
    // What was not given clears nothing, unless it is newer.
    if isMissing { return (ours.value, latest) }
    hasTie = true
    if rule == .newestOrOurs { return ours }
    return (isGreater(theirs.value, ours.value) ? theirs.value : ours.value, latest)
  }
}

extension String {
  /// The order in which texts win: the longer one, so that what was typed within a second is not lost; then by bytes.
  func isLonger(than other: String) -> Bool {
    if utf8.count != other.utf8.count { return utf8.count > other.utf8.count }
    return other.utf8.lexicographicallyPrecedes(utf8)
  }
}

extension Array where Element == String {
  /// The order in which lists win: the longer one; then by elements.
  func isLonger(than other: [String]) -> Bool {
    count != other.count ? count > other.count : other.lexicographicallyPrecedes(self)
  }
}

extension DeletedNote {
  /// Which was later, the deletion or the last change of a note as another copy has it.
  func outcome(against note: SyncNote) -> DeletionOutcome {
    outcome(latestChange: note.latestChange, hasPropertyDates: note.hasPropertyDates)
  }
}

extension Tag {
  /// Whether nothing at all differs. `==` holds names in different normalisations to be equal.
  func hasSameBits(as other: Tag) -> Bool { name.hasSameBytes(as: other.name) && self == other }
}

extension Attachment {
  /// Which of two attachments with one id wins. They are never changed, so there should not be two.
  func isGreater(than other: Attachment) -> Bool {
    if !mimeType.hasSameBytes(as: other.mimeType) { return mimeType.isLonger(than: other.mimeType) }
    return (height, width) > (other.height, other.width)
  }
}
