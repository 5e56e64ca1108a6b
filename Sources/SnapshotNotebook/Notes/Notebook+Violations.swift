import Foundation
import SnapshotStore

/// The conditions of a notebook beside its relations. Its functions keep them. So only a file from elsewhere, or a
/// command on records, can break them.
extension Notebook {
  static let validations: [Validation<Notebook>] = [
    Validation("note", on: \.notes) { note, _ in
      let problems = note.problems()
      return problems.isEmpty ? nil : problems.joined(separator: ", and ")
    },
    Validation("tag", on: \.tags) { tag, _ in
      let id = TagName(tag.name)?.id
      if id?.utf8.elementsEqual(tag.id.utf8) != true {
        let right = id.map { "whose id is \(SnapshotError.quoted($0))" } ?? "which is not a valid name"
        return "its name is \(SnapshotError.quoted(tag.name)), \(right)"
      }
      return tag.nameModificationDate?.isFinite == false ? "its date is not finite" : nil
    },
    Validation("deletedNote", on: \.deletedNotes) { deleted, _ in
      if deleted.id < 0 { return "its id is negative" }
      return deleted.deletionDate?.isFinite == false ? "its date is not finite" : nil
    },
  ]
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
