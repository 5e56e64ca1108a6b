import SnapshotFoundation

/// The dates at which records of one type were changed, as their merge rules name them.
struct ChangeDates<Value: Record> {
  private let rules = Value.mergeRules.filter { $0.dateKey != nil }
  private let keys = Value.dateKeys
  /// The keys of dates that stand for the whole record.
  private let recordKeys = Set(Value.mergeRules.filter { $0.datedKeys == nil }.compactMap(\.dateKey))

  /// The latest date of change; nil if none is known. Numbers in place of dates are of an unknown unit, so they are not
  /// known.
  func latest(of record: Value) -> Date? {
    keys.isEmpty ? nil : [Item.Member](of: record)?.latestDate(under: keys)
  }

  /// Whether a record may have changed at a date or later. It has not if the date of its last change is known, and
  /// every known date is certainly earlier.
  func mayHaveChanged(_ record: Value, since date: Date) -> Bool {
    if recordKeys.isEmpty { return true }
    guard let members = [Item.Member](of: record), members.latestDate(under: recordKeys) != nil,
      let latest = members.latestDate(under: keys)
    else { return true }
    return !latest.isCertainlyEarlier(than: date)
  }

  /// The record with dates a second later than a removal; nil if it needs none, or has no dates.
  ///
  /// Other programs may keep no fractions of a second. To them, dates within a second decide nothing.
  func outliving(_ removal: Date, _ record: Value) -> Value? {
    if keys.isEmpty { return nil }
    if let latest = latest(of: record), latest > removal, latest >= removal.following { return nil }
    return record.dated(removal.following, since: nil, by: rules)
  }
}

extension [Item.Member] {
  fileprivate func latestDate(under keys: Set<ExactText>) -> Date? {
    compactMap { keys.contains($0.key) ? $0.value.date : nil }.max()
  }
}

extension Item {
  /// The date, if the item is a finite one.
  fileprivate var date: Date? {
    guard case .date(let seconds) = content, seconds.isFinite else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }
}

extension Date {
  /// A second later. The last date that every format can hold follows itself.
  var following: Date {
    let next = max(timeIntervalSinceReferenceDate + 1, timeIntervalSinceReferenceDate.nextUp)
    return TextDate.isInCalendar(next) ? Date(timeIntervalSinceReferenceDate: next) : self
  }

  /// Whether a change at this date is earlier than the other date. A whole second may stand for any date within it,
  /// because other programs remove the fractions.
  func isCertainlyEarlier(than other: Date) -> Bool {
    let (mine, other) = (timeIntervalSinceReferenceDate, other.timeIntervalSinceReferenceDate)
    return mine < other && (mine != mine.rounded(.down) || mine + 1 <= other)
  }

  /// Whether every format can hold the date.
  var isUsual: Bool { TextDate.isInCalendar(timeIntervalSinceReferenceDate) }
}
