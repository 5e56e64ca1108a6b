import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// The line of a note in a list: its id, its day, its title and its tags.
///
/// On a terminal a line has the place of the note, for `@3`, and is cut to the width. A pipe or a file gets all of it.
struct NoteColumns {
  /// A narrower terminal shows no days.
  private static let fewestColumnsWithDays = 60
  /// No terminal shows more of a title.
  private static let longestTitle = 2_000

  /// The columns of the terminal; nil for a pipe or a file.
  private let width: Int?
  private let idWidth: Int
  /// The width of the places; nil if the list has none.
  private let placeWidth: Int?

  /// - Parameters:
  ///   - width: the columns of the terminal; nil for a pipe or a file.
  ///   - hasPlaces: whether `@3` will name the third note.
  init(_ notes: [Note], width: Int?, hasPlaces: Bool) {
    self.width = width
    idWidth = notes.map { "\($0.id)".count }.max() ?? 0
    placeWidth = hasPlaces ? "@\(notes.count)".count : nil
  }

  /// The blanks before a second line of a note.
  var indentation: String { "".padding(to: (placeWidth.map { $0 + 2 } ?? 0) + idWidth + 2) }

  func line(for note: Note, place: Int, tags: [String]) -> StyledText {
    let output = Terminal.output
    var fixed = ["\(note.id)".padding(to: idWidth)]
    if let placeWidth { fixed.insert("@\(place)".padding(to: placeWidth), at: 0) }
    if width.map({ $0 >= Self.fewestColumnsWithDays }) ?? true { fixed.append(note.sortDate.day) }
    let derived = (width == nil ? note.title : String(note.title.prefix(Self.longestTitle))).forTerminal
    var title = derived.isEmpty ? "(empty)" : derived
    var marks = tags.map { "#" + $0 }.joined(separator: " ").forTerminal
    if note.archived { marks += marks.isEmpty ? "(archived)" : "  (archived)" }
    if let width {
      let left = width - fixed.reduce(0) { $0 + $1.displayWidth + 2 }
      (title, marks) = Self.fitted(title, marks, columns: left)
    }
    let line = fixed.reduce(StyledText("")) { $0 + output.dim($1) + "  " } + title
    return marks.isEmpty ? line : line + "  " + output.dim(marks)
  }

  /// A title and the marks behind it, within some columns. The marks may take a third of them if the title is long.
  private static func fitted(_ title: String, _ marks: String, columns: Int) -> (title: String, marks: String) {
    let gap = marks.isEmpty ? 0 : 2
    let free = columns - gap - title.displayWidth
    if free >= marks.displayWidth { return (title, marks) }
    let cutMarks = marks.cut(toColumns: max(free, columns / 3))
    return (title.cut(toColumns: max(1, columns - gap - cutMarks.displayWidth)), cutMarks)
  }
}

extension Date {
  /// The day in UTC, as in the file. Its text has ten characters at most, also for a date that has no day there.
  var day: String {
    // The beginning of the years 1 and 10000.
    if timeIntervalSinceReferenceDate < -63_113_904_000 { return "before 1" }
    if timeIntervalSinceReferenceDate >= 252_423_993_600 { return "after 9999" }
    let text = ((try? SnapshotFile.json(of: self)) ?? "").replacing("\"", with: "")
    return String(text.prefix(10))
  }
}
