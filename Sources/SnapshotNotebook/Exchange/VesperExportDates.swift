import Foundation
import SnapshotStore

/// The dates of a note, from the texts in its file and from the date of the file. The texts are to the minute, in the
/// zone of a device. The date of the file is exact if it survived copying.
struct VesperExportDates {
  private(set) var created: Date?
  private(set) var modified: Date?
  /// The first text that is not a date.
  private(set) var unreadable: String?

  /// - Parameters:
  ///   - fileDate: the modification date of the file. If it is the same minute as the newest text in some zone, it is
  ///     the exact date. That zone is then the zone of the device.
  ///   - timeZone: the zone of the device if the file does not tell it.
  init(created: String?, modified: String?, fileDate: Date?, timeZone: TimeZone) {
    let (createdText, modifiedText) = (created, modified)
    let (created, modified) = (created.map(LocalizedDate.init), modified.map(LocalizedDate.init))
    let match = fileDate.flatMap { date in
      (modified ?? created)?.match(of: date).map { (date: date, reading: $0.reading, offset: $0.offset) }
    }
    let clock = DeviceClock(timeZone: timeZone, match: match.map { ($0.date, $0.offset) })
    let newest = match?.reading ?? modified?.certain
    if modified == nil {
      self.created = match?.date ?? (created?.certain).map { clock.date($0.seconds) }
    } else {
      self.created = (created?.reading(before: newest)).map { clock.date($0.seconds) }
      self.modified = match?.date ?? newest.map { clock.date($0.seconds) }
    }
    if created != nil, self.created == nil {
      unreadable = createdText
    } else if modified != nil, self.modified == nil {
      unreadable = modifiedText
      // The file has been changed since the note was made, so no other date is better.
      if let date = self.created, let fileDate, fileDate >= date { self.modified = fileDate }
    }
  }
}

extension LocalizedDate {
  /// The reading to use if nothing else decides.
  fileprivate var certain: Reading? { isCertain ? readings.first : nil }

  /// The reading that is the minute of an instant in some zone of the world. Zones are multiples of a quarter of an
  /// hour.
  fileprivate func match(of date: Date) -> (reading: Reading, offset: Int)? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard abs(seconds) < 1e11 else { return nil }
    let minute = Int((seconds / 60).rounded(.down)) * 60
    for reading in readings {
      let offset = reading.seconds - minute
      if offset % 900 == 0, (-12 * 3_600...14 * 3_600).contains(offset) { return (reading, offset) }
    }
    return nil
  }

  /// The reading that fits one of a later date: not after it, and of the same kind if there are several.
  fileprivate func reading(before later: Reading?) -> Reading? {
    guard let later else { return certain }
    // Clocks are set back by up to an hour.
    let candidates = readings.filter { $0.seconds <= later.seconds + 3_600 }
    return candidates.count == 1 ? candidates[0] : candidates.first { $0.kind == later.kind } ?? certain
  }
}

/// Converts the time that the device showed into instants.
private struct DeviceClock {
  let timeZone: TimeZone
  /// An instant, and the offset of the device from UTC at that instant.
  let match: (date: Date, offset: Int)?

  func date(_ seconds: Int) -> Date {
    // The zone of this process has summer times. The zone of another device is known for one instant only.
    if let match, timeZone.secondsFromGMT(for: match.date) != match.offset { return instant(seconds - match.offset) }
    let guess = instant(seconds - timeZone.secondsFromGMT(for: instant(seconds)))
    return instant(seconds - timeZone.secondsFromGMT(for: guess))
  }

  private func instant(_ seconds: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(seconds)) }
}
