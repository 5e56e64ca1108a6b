import Foundation

extension Notebook {
  /// What a notebook must never be, and only a file from elsewhere can make it: ids that lead nowhere, tags whose id is
  /// not that of their name, dates that are not finite, notes that are also deleted. O(n log n).
  public func violations() -> [Violation] {
    var violations: [Violation] = []
    for note in notes {
      var problems = note.problems()
      for id in note.tags where !tags.contains(id) {
        problems.append("its tag \(id.quotedForMessage()) does not exist")
      }
      for id in note.attachments where !attachments.contains(id) {
        problems.append("its attachment \(id.quotedForMessage()) does not exist")
      }
      if deletedNotes.contains(note.id) { problems.append("it is also among the deleted notes") }
      violations += problems.map { Violation(place: "notes \(note.id)", message: $0) }
    }
    for tag in tags {
      let place = "tags \(tag.id.quotedForMessage())"
      let id = TagName(tag.name)?.id
      if id?.utf8.elementsEqual(tag.id.utf8) != true {
        let right = id.map { "whose id is \($0.quotedForMessage())" } ?? "which is no name"
        violations.append(Violation(place: place, message: "its name is \(tag.name.quotedForMessage()), \(right)"))
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
  /// What is wrong with a note by itself.
  func problems() -> [String] {
    var problems: [String] = []
    if id < 0 { problems.append("its id is negative") }
    let dates = [
      creationDate, sortDate, modificationDate, textModificationDate, archivedModificationDate,
      sortDateModificationDate, tagsModificationDate, attachmentsModificationDate,
    ]
    if dates.contains(where: { $0?.isFinite == false }) {
      problems.append("one of its dates is not finite")
    }
    if Set(tags).count != tags.count { problems.append("a tag stands twice on it") }
    if Set(attachments).count != attachments.count { problems.append("an attachment stands twice on it") }
    return problems
  }
}

extension Date {
  fileprivate var isFinite: Bool { timeIntervalSinceReferenceDate.isFinite }
}
