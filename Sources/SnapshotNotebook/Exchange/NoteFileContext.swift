import Foundation
import SnapshotStore

/// Facts about the file of a note besides its text.
struct NoteFileContext {
  /// The modification date of the file.
  var fileDate: Date?
  /// The time zone of the device that wrote dates without one, used where nothing else tells the zone.
  var timeZone = TimeZone.gmt
  /// The names of the pictures beside the note.
  var pictures: Set<String> = []

  /// Whether a name is that of a picture of the note. Vesper named the picture after the note's file, which may have
  /// been renamed since.
  func isPicture(_ picture: String, _ name: String) -> Bool {
    let attachment = PictureName.attachment(inFile: picture)
    return attachment.mimeType.hasPrefix("image/") && (attachment.id == name || pictures.contains(picture))
  }
}

extension VesperExportFile {
  /// The note, with the date of its file and the id in its name.
  func note(place: String, name: String, context: NoteFileContext) -> ForeignNote {
    let dates = VesperExportDates(
      created: created, modified: modified, fileDate: context.fileDate, timeZone: context.timeZone)
    var note = ForeignNote(
      id: VesperExportNames.id(in: name, of: text), text: String(text), creationDate: dates.created,
      sortDate: dates.created, modificationDate: dates.modified, tagNames: tagNames,
      attachments: picture.map { [PictureName.attachment(inFile: $0)] } ?? [], place: place)
    if let unreadable = dates.unreadable { note.warnings.append(.date(unreadable)) }
    return note
  }
}
