/// Something in the file of a note that could be meant otherwise than it is taken, and that the report of an import says.
enum ForeignDoubt: Equatable, Sendable {
  /// A title that is not that of the text.
  case title(String)
}

extension ForeignContent {
  /// One sentence for each file with a doubt, but for a kind of which there are many.
  static func remarks(on notes: [ForeignNote]) -> [String] {
    let titles = notes.flatMap { note in
      note.doubts.map { doubt in
        switch doubt {
        case .title(let title):
          "\(title.quotedForMessage()), the title in \(note.place), is not that of its text; the text counts"
        }
      }
    }
    return shortened(titles, more: "have a title that is not that of their text")
  }

  private static func shortened(_ remarks: [String], more: String) -> [String] {
    let limit = 20
    if remarks.count <= limit + 1 { return remarks }
    return remarks.prefix(limit) + ["\(remarks.count - limit) more files \(more)"]
  }
}
