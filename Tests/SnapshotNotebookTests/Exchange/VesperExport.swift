import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The folder that Vesper's own program exported, written from its description and not with the tested code.
struct VesperExport {
  /// The form of a date on a device: in its language, to the minute.
  struct DateStyle: CustomTestStringConvertible, Sendable {
    let name: String
    let text: @Sendable (_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int) -> String
    var testDescription: String { name }
  }

  struct Note {
    var text: String
    var id = 1_607_864_771_815_195
    var tags: [String] = []
    var picture: [UInt8]?
    var archived = false
    /// Nil for no date.
    var created: Date? = VesperExport.created
    var modified: Date? = VesperExport.modified
    var lineBreak = "\n"
  }

  var style = VesperExport.styles[0]
  /// The offset of the device, in seconds east of Greenwich.
  var offset = -7 * 3_600
  var notes: [Note] = []
  /// Whether the files have the dates of their notes. Otherwise they were copied on a later day.
  var keepsDates = true

  static let created = Date(timeIntervalSince1970: 1_402_574_820)
  static let modified = Date(timeIntervalSince1970: 1_402_728_033)
  static let copied = Date(timeIntervalSince1970: 1_795_275_077)

  /// Writes the folder, and returns the paths of the notes in it.
  @discardableResult
  func write(to folder: URL) throws -> [String] {
    var names: Set<String> = []
    var paths: [String] = []
    for parent in ["Active Notes", "Archived Notes"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: "\(parent)/Pictures"), withIntermediateDirectories: true)
    }
    for note in notes {
      let parent = note.archived ? "Archived Notes" : "Active Notes"
      var stem = Self.stem(note.text)
      if stem.isEmpty { stem = "\(note.id)" }
      if !names.insert("\(parent)/\(stem)").inserted { stem += "-\(note.id)" }
      if let picture = note.picture {
        try Data(picture).write(to: folder.appending(path: "\(parent)/Pictures/\(stem).png"))
      }
      let path = "\(parent)/\(stem).txt"
      let url = folder.appending(path: path)
      try Data(text(of: note, stem: stem).replacing("\n", with: note.lineBreak).utf8).write(to: url)
      let date = keepsDates ? note.modified ?? note.created ?? Self.copied : Self.copied
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
      paths.append(path)
    }
    return paths
  }

  private func text(of note: Note, stem: String) -> String {
    var text = note.text + "\n\n"
    if note.picture != nil { text += "Picture: \(stem).png\n\n" }
    text += "Tags: \(note.tags.joined(separator: ", "))\n\n"
    if let created = note.created { text += "Created: \(self.text(of: created))\n" }
    if let modified = note.modified { text += "Modified: \(self.text(of: modified))\n" }
    return text
  }

  private func text(of date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: offset) ?? .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    return style.text(parts.year ?? 0, parts.month ?? 0, parts.day ?? 0, parts.hour ?? 0, parts.minute ?? 0)
  }

  /// The first line, trimmed, with runs of invalid characters replaced by `_`, at most 64 characters.
  private static func stem(_ text: String) -> String {
    let line = text.prefix { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
    var stem = ""
    for character in line {
      let isBad = character.isWhitespace || "\\\"`~/:;@!#$%()*+—^&=.,?".contains(character)
      if !isBad { stem.append(character) } else if stem.last != "_" { stem.append("_") }
    }
    return String(stem.prefix(64))
  }
}

extension VesperExport {
  static let styles: [DateStyle] = [
    DateStyle(name: "en_US") { year, month, day, hour, minute in
      let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
      return "\(names[month - 1]) \(day), \(year), \(twelve(hour)):\(pad(minute)) \(hour < 12 ? "AM" : "PM")"
    },
    DateStyle(name: "en_US, newer") { year, month, day, hour, minute in
      let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"]
      return "\(names[month - 1]) \(day), \(year) at \(twelve(hour)):\(pad(minute))\u{202F}\(hour < 12 ? "AM" : "PM")"
    },
    DateStyle(name: "en_GB") { "\($2) \(english[$1 - 1]) \($0) \(pad($3)):\(pad($4))" },
    DateStyle(name: "de") { "\(pad($2)).\(pad($1)).\($0), \(pad($3)):\(pad($4))" },
    DateStyle(name: "de, older") { "\(pad($2)).\(pad($1)).\($0) \(pad($3)):\(pad($4)) Uhr" },
    DateStyle(name: "ja") { "\($0)/\(pad($1))/\(pad($2)) \($3):\(pad($4))" },
    DateStyle(name: "fr") { year, month, day, hour, minute in
      let names = ["janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."]
      return "\(day) \(names[month - 1]) \(year) à \(pad(hour)):\(pad(minute))"
    },
    DateStyle(name: "ru") { year, month, day, hour, minute in
      let names = [
        "янв.", "февр.", "марта", "апр.", "мая", "июня", "июля", "авг.", "сент.", "окт.", "нояб.", "дек.",
      ]
      return "\(day) \(names[month - 1]) \(year) г., \(hour):\(pad(minute))"
    },
    DateStyle(name: "zh") { "\($0)年\($1)月\($2)日 \($3 < 12 ? "上午" : "下午")\(twelve($3)):\(pad($4))" },
    DateStyle(name: "ko") { "\($0). \($1). \($2). \($3 < 12 ? "오전" : "오후") \(twelve($3)):\(pad($4))" },
    DateStyle(name: "es") { year, month, day, hour, minute in
      let names = ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"]
      return "\(day)/\(names[month - 1])/\(year) \(twelve(hour)):\(pad(minute)) \(hour < 12 ? "a" : "p").\u{A0}m."
    },
    DateStyle(name: "fi") { "\($2).\($1).\($0) klo \($3).\(pad($4))" },
    DateStyle(name: "hu") { year, month, day, hour, minute in
      let names = [
        "jan.", "febr.", "márc.", "ápr.", "máj.", "jún.", "júl.", "aug.", "szept.", "okt.", "nov.", "dec.",
      ]
      return "\(year). \(names[month - 1]) \(day). \(hour):\(pad(minute))"
    },
    DateStyle(name: "pt_BR") { "\(pad($2))/\(pad($1))/\($0) \(pad($3)):\(pad($4))" },
    DateStyle(name: "th") { year, month, day, hour, minute in
      let names = [
        "ม.ค.", "ก.พ.", "มี.ค.", "เม.ย.", "พ.ค.", "มิ.ย.", "ก.ค.", "ส.ค.", "ก.ย.", "ต.ค.", "พ.ย.", "ธ.ค.",
      ]
      return "\(day) \(names[month - 1]) \(year + 543) \(hour):\(pad(minute))"
    },
    DateStyle(name: "he") { year, month, day, hour, minute in
      let names = [
        "ינו׳", "פבר׳", "מרץ", "אפר׳", "מאי", "יוני", "יולי", "אוג׳", "ספט׳", "אוק׳", "נוב׳", "דצמ׳",
      ]
      return "\(day) ב\(names[month - 1]) \(year), \(hour):\(pad(minute))"
    },
    DateStyle(name: "ar") { year, month, day, hour, minute in
      let digits = { (text: String) in
        String(text.map { $0.wholeNumberValue.map { Character(Unicode.Scalar(0x660 + $0)!) } ?? $0 })
      }
      return digits("\(pad(day))\u{200F}/\(pad(month))\u{200F}/\(year)، \(twelve(hour)):\(pad(minute)) ")
        + (hour < 12 ? "ص" : "م")
    },
    DateStyle(name: "cs") { "\($2). \($1). \($0) \($3):\(pad($4))" },
    DateStyle(name: "hr") { year, month, day, hour, minute in
      let names = ["sij", "velj", "ožu", "tra", "svi", "lip", "srp", "kol", "ruj", "lis", "stu", "pro"]
      return "\(day). \(names[month - 1]) \(year). \(pad(hour)):\(pad(minute))"
    },
    DateStyle(name: "pl") { year, month, day, hour, minute in
      let names = ["sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis", "gru"]
      return "\(day) \(names[month - 1]) \(year), \(pad(hour)):\(pad(minute))"
    },
    DateStyle(name: "vi") { "\(pad($3)):\(pad($4)) \($2) thg \($1), \($0)" },
  ]

  private static let english = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  private static func twelve(_ hour: Int) -> Int { hour % 12 == 0 ? 12 : hour % 12 }
}
