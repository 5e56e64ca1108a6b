import Foundation

@testable import SnapshotStore
@testable import TestSupport

/// What a store knows of its file, as `Docs/FILE-STATES.md` names it.
enum FileState: String, CaseIterable {
  case absent, whole, appending, closed, marked, undecided, rewrite, foreign, removed

  init<Root: Model>(of file: StoreFile<Root>) {
    let journal = file.session.journal
    self =
      if let base = file.base {
        if base.isMissed {
          .removed
        } else if journal.isUndecided {
          .undecided
        } else if base.needsWholeSave {
          base.isForeign ? .foreign : .rewrite
        } else if !journal.isThere {
          .whole
        } else if journal.mark != nil {
          .marked
        } else {
          journal.openEnd == nil ? .closed : .appending
        }
      } else {
        .absent
      }
  }
}

/// One way from a state to the next.
struct FileTransition: Hashable, CustomStringConvertible {
  /// What leads from one state to another.
  enum Event: String, CaseIterable { case open, save, fold, look }

  /// Nil before the file is opened.
  let from: FileState?
  let event: Event
  let to: FileState

  var description: String { "\(from.map { "`\($0)`" } ?? "–") \(event) `\(to)`" }

  /// Those of a table in the page.
  ///
  /// - Parameter heading: that of its section.
  static func documented(under heading: String) throws -> Set<FileTransition> {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Docs/FILE-STATES.md").standardizedFileURL
    var found: Set<FileTransition> = []
    let sections = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## ")
    let section = sections.first { $0.hasPrefix(heading + "\n") } ?? ""
    for line in section.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, let event = Event(rawValue: cells[1]) else { continue }
      let (sources, targets) = (names(in: cells[0]), names(in: cells[2]))
      for from in sources.isEmpty ? [nil] : sources.map(Optional.some) {
        for to in targets { found.insert(FileTransition(from: from, event: event, to: to)) }
      }
    }
    return found
  }

  private static func names(in cell: String) -> [FileState] {
    cell.matches(of: /`([a-z]+)`/).compactMap { FileState(rawValue: String($0.1)) }
  }
}
