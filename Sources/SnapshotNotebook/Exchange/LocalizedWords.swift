import Foundation
import SnapshotStore

/// The words for months and for the halves of a day in all languages of devices that the system knows.
struct LocalizedWords: Sendable {
  /// Built when the first date is read, which takes a few milliseconds.
  static let shared = LocalizedWords(languages: languages)

  private var monthsByWord: [String: Set<Int>] = [:]
  private var halvesByWord: [String: Bool] = [:]

  private static let languages = [
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "gl", "he", "hi", "hr", "hu",
    "id", "is", "it", "ja", "ko", "lt", "lv", "mk", "ms", "nb", "nl", "nn", "pl", "pt", "ro", "ru", "sk", "sl", "sq",
    "sr",
    "sv", "th", "tr", "uk", "vi", "zh", "en_CA", "en_GB", "es_MX", "fr_CA", "pt_PT", "zh_Hant",
  ]

  private init(languages: [String]) {
    for language in languages {
      var calendar = Calendar(identifier: .gregorian)
      calendar.locale = Locale(identifier: language)
      for names in [
        calendar.monthSymbols, calendar.shortMonthSymbols, calendar.standaloneMonthSymbols,
        calendar.shortStandaloneMonthSymbols,
      ] {
        // Names with a digit in them, as in Japanese, are read as numbers.
        for (index, name) in names.enumerated() where !name.unicodeScalars.contains(where: Self.isDigit) {
          monthsByWord[Self.key(name), default: []].insert(index + 1)
        }
      }
      halvesByWord[Self.key(calendar.amSymbol)] = false
      halvesByWord[Self.key(calendar.pmSymbol)] = true
    }
    for (word, isAfternoon) in [("am", false), ("pm", true)] { halvesByWord[word] = isAfternoon }
    // Finnish and Inari Sami have one word for both halves. Devices in Finnish write 24 hours.
    for word in ["ap", "ip", ""] { halvesByWord[word] = nil }
  }

  /// The months that a word may mean, ascending. The word is a name, a name after the Hebrew “in”, or the first letters
  /// of a name.
  func months(_ word: String) -> [Int] {
    let key = Self.key(word)
    if let months = monthsByWord[key] { return months.sorted() }
    if key.unicodeScalars.first == "\u{5D1}" {
      if let months = monthsByWord[String(key.unicodeScalars.dropFirst())] { return months.sorted() }
    }
    guard key.unicodeScalars.count >= 3 else { return [] }
    return Set(monthsByWord.filter { $0.key.hasPrefix(key) }.flatMap(\.value)).sorted()
  }

  /// Whether a word means the second half of the day; nil if it means neither half.
  func half(_ word: String) -> Bool? { halvesByWord[Self.key(word)] }

  /// Whether a scalar is part of a word.
  static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isAlphabetic { return true }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .decimalNumber }

  /// A word in lower case, without the marks of an abbreviation.
  private static func key(_ word: String) -> String {
    var letters = String.UnicodeScalarView()
    letters.append(contentsOf: word.unicodeScalars.filter(isPart))
    return String(letters).lowercased()
  }
}
