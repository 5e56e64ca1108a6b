@testable import NotebookTestSupport
@testable import TestSupport

/// A second implementation of text dates, written from the documentation alone and without regard to speed. Years are
/// counted one by one, and a fraction is subtracted digit by digit.
enum SlowDate {
  /// Seconds since 2001 of `yyyy-MM-ddTHH:mm:ss`, an optional fraction, and `Z` or an offset; nil for everything else.
  static func seconds(_ text: String) -> Double? {
    let parts = text.utf8.map { $0 }
    guard parts.count >= 20, matches(Array(parts[..<19]), "dddd-dd-ddTdd:dd:dd") else { return nil }
    let (year, month, day) = (number(parts[0..<4]), number(parts[5..<7]), number(parts[8..<10]))
    let (hour, minute, second) = (number(parts[11..<13]), number(parts[14..<16]), number(parts[17..<19]))
    guard year > 0, (1...12).contains(month), (1...days(month, year)).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    var rest = parts[19...]
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      fraction = Array(rest.dropFirst().prefix { (48...57).contains($0) })
      if fraction.isEmpty { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard let zone = zone(Array(rest)) else { return nil }
    var dayNumber = daysBefore[year] + day - 1
    for earlier in 1..<month { dayNumber += days(earlier, year) }
    let whole = (dayNumber - daysBefore[2001]) * 86_400 + hour * 3600 + minute * 60 + second - zone
    return sum(whole, fraction)
  }

  private static func zone(_ text: [UInt8]) -> Int? {
    if text == [UInt8(ascii: "Z")] { return 0 }
    guard matches(text, "+dd:dd") || matches(text, "-dd:dd") else { return nil }
    let (hour, minute) = (number(text[1..<3]), number(text[4..<6]))
    guard hour < 24, minute < 60 else { return nil }
    return (text[0] == UInt8(ascii: "-") ? -1 : 1) * (hour * 60 + minute) * 60
  }

  /// Whether each byte matches the pattern, in which `d` is any digit.
  private static func matches(_ text: [UInt8], _ pattern: String) -> Bool {
    text.count == pattern.utf8.count
      && zip(text, pattern.utf8).allSatisfy { $1 == UInt8(ascii: "d") ? (48...57).contains($0) : $0 == $1 }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 * 10 + Int($1) - 48 } }

  private static func isLeap(_ year: Int) -> Bool {
    year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
  }

  private static func days(_ month: Int, _ year: Int) -> Int {
    month == 2 && isLeap(year) ? 29 : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Days from the start of year 1 to that of each year.
  private static let daysBefore: [Int] = {
    var days = [0, 0]
    for year in 1...9999 { days.append(days[year] + (isLeap(year) ? 366 : 365)) }
    return days
  }()

  /// The number nearest to a whole number and a fraction, which always counts forwards.
  private static func sum(_ whole: Int, _ fraction: [UInt8]) -> Double? {
    if whole >= 0 || fraction.allSatisfy({ $0 == 48 }) {
      return Double("\(whole)." + String(decoding: fraction + [48], as: UTF8.self))
    }
    // |whole| − 0.fraction, with all digits before and after the point in one row, as on paper.
    var row = "\(-whole)".utf8.map { Int($0) - 48 } + fraction.map { _ in 0 }
    var borrow = 0
    for index in row.indices.reversed() {
      let distance = row.count - 1 - index
      let digit = distance < fraction.count ? Int(fraction[fraction.count - 1 - distance]) - 48 : 0
      row[index] -= digit + borrow
      borrow = row[index] < 0 ? 1 : 0
      row[index] += 10 * borrow
    }
    let point = row.count - fraction.count
    let digits = row.map(String.init)
    return Double("-" + digits[..<point].joined() + "." + digits[point...].joined())
  }
}
