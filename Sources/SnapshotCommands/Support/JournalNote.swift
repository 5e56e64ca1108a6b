import SnapshotStore

/// The journal beside a file, for the notes of commands.
enum JournalNote {
  /// Changes that the file alone does not have.
  case changes(Int)
  /// The file was replaced or edited since the journal began.
  case foreign
  /// The journal cannot be read, with the reason.
  case unreadable(String)

  /// The journal beside a file; nil if there is none.
  init?(beside path: String) {
    guard !FileName.isStream(path), let url = try? FileName.url(path) else { return nil }
    do {
      guard let journal = try SnapshotFile.journal(of: url) else { return nil }
      self = .changes(journal.changes)
    } catch let error as SnapshotError where error.code == .foreignJournal {
      self = .foreign
    } catch let error as SnapshotError where error.code == .damagedJournal {
      self = .unreadable(CommandFailure(error).message)
    } catch {
      // The file itself cannot be read, which the command reports.
      return nil
    }
  }

  /// What the note says.
  ///
  /// - Parameters:
  ///   - name: the name of the file, as it is printed.
  ///   - reader: what is said of changes in the journal.
  func text(_ name: String, _ reader: (_ changes: String) -> String) -> String {
    switch self {
    case .changes(let count): reader(Counts.text(count, "change"))
    case .foreign:
      "the journal beside it has changes that it does not have; “\(Tool.runningName) fold \(name)” merges both"
    case .unreadable(let message): message
    }
  }
}
