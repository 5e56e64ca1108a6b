public import SnapshotStore

/// A picture or another file that notes refer to. It is never changed. The bytes of the file are not in the notebook.
///
/// ```swift
/// let photo = Attachment(
///   id: "flore.jpg", mimeType: "image/jpeg", height: 768, width: 1024)
/// try notebook.add(photo)
/// try notebook.addNote(text: "Café de Flore", attachments: [photo.id])
/// ```
public struct Attachment: Record {
  /// Identifies the attachment.
  public let id: String
  /// The type of the file, for example `image/jpeg`.
  public let mimeType: String
  /// The height of a picture in pixels; 0 if unknown.
  public let height: Int
  /// The width of a picture in pixels; 0 if unknown.
  public let width: Int

  /// An attachment.
  public init(id: String, mimeType: String, height: Int, width: Int) {
    self.id = id
    self.mimeType = mimeType
    self.height = height
    self.width = width
  }

  /// Whether the file is a picture.
  var isImage: Bool {
    mimeType.hasPrefix("image/") || mimeType.lowercased().hasPrefix("image/")
  }
}
