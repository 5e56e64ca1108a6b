import Foundation
import SnapshotStore

/// A date with a time to the minute, as a device writes it in its language: `Jun 12, 2014, 5:07 AM`, `12.06.2014,
/// 05:07`, `2014/06/12 5:07`.
///
/// The text does not name its language, so it may have several readings. `06/12/2014` is a day of June or of December,
/// and `lis` is October in Croatian and November in Polish.
struct LocalizedDate {
  /// A possible meaning of the text.
  struct Reading {
    /// Seconds since 2001, by a clock in UTC that shows the time of the text.
    let seconds: Int
    /// Equal for readings of two texts that interpret the words and the order of the numbers in the same way.
    let kind: Int
  }

  /// The readings, most likely first; empty if the text is not a date.
  ///
  /// A year stands first or last in the date. Of three numbers with the year last, the first is the day, unless only
  /// the other order gives a valid day. Years of the Buddhist calendar are recognised.
  private(set) var readings: [Reading] = []
  /// Whether the first reading may be used without further evidence. That is so if it is the only one, or if only the
  /// order of numbers is uncertain.
  private(set) var isCertain = false

  init(_ text: String) {
    guard let parts = LocalizedDateParts(text), let hour = parts.hour24 else { return }
    let numbers = parts.numbers
    guard let yearIndex = numbers.firstIndex(where: { $0 >= 1_000 }), yearIndex == 0 || yearIndex == numbers.count - 1
    else { return }
    let year = numbers[yearIndex] > 2_400 ? numbers[yearIndex] - 543 : numbers[yearIndex]
    let rest = numbers.enumerated().filter { $0.offset != yearIndex }.map(\.element)
    let days = Self.days(rest, parts.months, isYearFirst: yearIndex == 0)
    readings = days.enumerated().compactMap { kind, day in
      Self.seconds(year, day.month, day.day, hour, parts.minute).map { Reading(seconds: $0, kind: kind) }
    }
    isCertain = readings.count == 1 || parts.months.isEmpty
  }

  /// The possible days of two numbers, or of a month and a number.
  private static func days(_ numbers: [Int], _ months: [Int], isYearFirst: Bool) -> [(month: Int, day: Int)] {
    if !months.isEmpty { return numbers.count == 1 ? months.map { ($0, numbers[0]) } : [] }
    guard numbers.count == 2 else { return [] }
    if isYearFirst { return [(numbers[0], numbers[1])] }
    let dayFirst = (month: numbers[1], day: numbers[0])
    return numbers[0] == numbers[1] ? [dayFirst] : [dayFirst, (numbers[0], numbers[1])]
  }

  private static func seconds(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int) -> Int? {
    let day = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    // A number with more digits is no date.
    return TextDate.date(from: "\(day)T\(digits(hour, 2)):\(digits(minute, 2)):00Z").map {
      Int($0.timeIntervalSinceReferenceDate)
    }
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// The numbers and the known words of a localized date.
private struct LocalizedDateParts {
  private struct Number {
    var value: Int
    var digits = 1
    /// The scalar before the number.
    let before: Unicode.Scalar?
  }

  /// The numbers that do not belong to the time, in order.
  private(set) var numbers: [Int] = []
  /// The possible months of the word for a month; empty without such a word.
  private(set) var months: [Int] = []
  private(set) var minute = 0
  private var hour = 0
  private var isAfternoon: Bool?

  /// Nil for a text without a time, or with more than a date and a time.
  init?(_ text: String) {
    // No device writes a longer date.
    guard text.utf8.count <= 200 else { return nil }
    var words: [String] = []
    var tokens: [Number] = []
    var before: Unicode.Scalar?
    var isInNumber = false
    var isInWord = false
    for scalar in text.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
      if scalar.properties.generalCategory == .decimalNumber,
        let digit = scalar.properties.numericValue.map({ Int($0) })
      {
        if isInNumber {
          let last = tokens.count - 1
          guard tokens[last].digits < 4 else { return nil }
          tokens[last].value = tokens[last].value * 10 + digit
          tokens[last].digits += 1
        } else {
          tokens.append(Number(value: digit, before: before))
        }
        (isInNumber, isInWord) = (true, false)
      } else if LocalizedWords.isPart(scalar) {
        if isInWord { words[words.count - 1].unicodeScalars.append(scalar) } else { words.append(String(scalar)) }
        (isInNumber, isInWord) = (false, true)
      } else {
        // A full stop within a word belongs to an abbreviation.
        isInWord = isInWord && (scalar == "." || scalar == "\u{A0}")
        isInNumber = false
      }
      before = scalar
    }
    guard take(&tokens), take(words) else { return nil }
    numbers = tokens.map(\.value)
  }

  /// The hour from 0 to 23; nil if the text has no valid hour.
  var hour24: Int? {
    guard (0..<60).contains(minute) else { return nil }
    guard let isAfternoon else { return (0..<24).contains(hour) ? hour : nil }
    // Some write `0:30 AM` for `12:30 AM`, and some `15:07 PM`.
    guard (0..<24).contains(hour) else { return nil }
    return hour > 12 ? hour : hour % 12 + (isAfternoon ? 12 : 0)
  }

  /// Takes hour and minute out of the numbers: the two with a colon between them, or the last two.
  private mutating func take(_ tokens: inout [Number]) -> Bool {
    let colon = tokens.indices.dropFirst().first { [":", "∶", "："].contains(tokens[$0].before) }
    let index = colon.map { $0 - 1 } ?? tokens.count - 2
    guard (4...5).contains(tokens.count), index >= 0, tokens[index + 1].digits == 2 else { return false }
    (hour, minute) = (tokens[index].value, tokens[index + 1].value)
    tokens.removeSubrange(index...index + 1)
    return true
  }

  /// Takes a month and a half of the day out of the words. Other words, such as `at` and `Uhr`, are ignored.
  private mutating func take(_ words: [String]) -> Bool {
    for word in words {
      if isAfternoon == nil, let half = LocalizedWords.shared.half(word) {
        isAfternoon = half
      } else if case let found = LocalizedWords.shared.months(word), !found.isEmpty {
        // A date has one month only.
        guard months.isEmpty else { return false }
        months = found
      }
    }
    return true
  }
}
