import Foundation
public import SnapshotStore

/// The rules of a notebook, and what breaks them.
extension Notebook {
  /// The broken rules, which only a file from elsewhere can contain. O(n log n). `allViolations()` also names the notes
  /// that have a tombstone.
  ///
  /// - A note refers to a missing record, or has a reference twice.
  /// - The id of a tag does not match its name.
  /// - A date is not finite, or an id of a note is negative.
  public func violations() -> [Violation] {
    var violations: [Violation] = []
    for note in notes {
      var problems = note.problems()
      for id in note.tags where !tags.contains(id) {
        problems.append("its tag \(SnapshotError.quoted(id)) does not exist")
      }
      for id in note.attachments where !attachments.contains(id) {
        problems.append("its attachment \(SnapshotError.quoted(id)) does not exist")
      }
      violations += problems.map { Violation(place: "notes \(note.id)", message: $0) }
    }
    for tag in tags {
      let place = "tags \(SnapshotError.quoted(tag.id))"
      let id = TagName(tag.name)?.id
      if id?.utf8.elementsEqual(tag.id.utf8) != true {
        let right = id.map { "whose id is \(SnapshotError.quoted($0))" } ?? "which is not a valid name"
        violations.append(Violation(place: place, message: "its name is \(SnapshotError.quoted(tag.name)), \(right)"))
      }
      if tag.nameModificationDate?.isFinite == false {
        violations.append(Violation(place: place, message: "its date is not finite"))
      }
    }
    for deleted in deletedNotes {
      let place = "deletedNotes \(deleted.id)"
      if deleted.id < 0 { violations.append(Violation(place: place, message: "its id is negative")) }
      if deleted.deletionDate?.isFinite == false {
        violations.append(Violation(place: place, message: "its date is not finite"))
      }
    }
    return violations
  }
}

extension Note {
  /// The broken rules of a single note.
  func problems() -> [String] {
    if isSound { return [] }
    var problems: [String] = []
    if id < 0 { problems.append("its id is negative") }
    if !hasFiniteDates { problems.append("one of its dates is not finite") }
    if tags.hasDuplicates { problems.append("a tag is on it twice") }
    if attachments.hasDuplicates { problems.append("an attachment is on it twice") }
    return problems
  }

  /// Whether the note by itself breaks no rule.
  private var isSound: Bool { id >= 0 && hasFiniteDates && !tags.hasDuplicates && !attachments.hasDuplicates }

  private var hasFiniteDates: Bool {
    creationDate.isFinite && sortDate.isFinite && modificationDate.isFinite
      && textModificationDate?.isFinite != false && archivedModificationDate?.isFinite != false
      && sortDateModificationDate?.isFinite != false && tagsModificationDate?.isFinite != false
      && attachmentsModificationDate?.isFinite != false
  }
}

extension Date {
  var isFinite: Bool { timeIntervalSinceReferenceDate.isFinite }
}
