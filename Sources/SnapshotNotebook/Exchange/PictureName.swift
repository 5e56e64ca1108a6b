import SnapshotStore

/// Attachments in the files of notes: the name of a file, and the properties that the name does not tell.
///
/// `photo.jpg` means the attachment `photo`, a JPEG of unknown size. `photo.jpg, image/jpeg, 30x20` also gives the
/// width and the height. Every attachment is read back exactly.
enum PictureName {
  /// Extensions and their types. The first extension of a type is the one that is written.
  private static let types = [
    ("jpg", "image/jpeg"), ("jpeg", "image/jpeg"), ("png", "image/png"), ("gif", "image/gif"), ("heic", "image/heic"),
    ("webp", "image/webp"), ("tiff", "image/tiff"), ("svg", "image/svg+xml"), ("mp4", "video/mp4"),
    ("mov", "video/quicktime"), ("mp3", "audio/mpeg"), ("m4a", "audio/mp4"), ("pdf", "application/pdf"),
  ]

  /// The name of an attachment's file: its id, and the extension of its type if there is one.
  static func fileName(of attachment: Attachment) -> String { attachment.id + suffix(attachment.mimeType) }

  /// The attachment that the name of a file alone implies.
  static func attachment(inFile name: String) -> Attachment {
    let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
    let type = dot.flatMap { dot in types.first { $0.0 == name[name.utf8.index(after: dot)...].lowercased() } }
    guard let dot, let type else {
      return Attachment(id: name, mimeType: "application/octet-stream", height: 0, width: 0)
    }
    return Attachment(id: String(name[..<dot]), mimeType: type.1, height: 0, width: 0)
  }

  /// The text for an attachment.
  static func text(of attachment: Attachment) -> String {
    let name = fileName(of: attachment)
    if self.attachment(inFile: name) == attachment { return QuotedText.list([name]) }
    // A negative size means unknown.
    return QuotedText.list([name, attachment.mimeType, "\(max(0, attachment.width))x\(max(0, attachment.height))"])
  }

  /// The attachment of a text; nil for any other text.
  static func attachment(_ text: String) -> Attachment? {
    guard let parts = QuotedText.names(ofList: text) else { return nil }
    if parts.count == 1 { return attachment(inFile: parts[0]) }
    guard parts.count == 3 else { return nil }
    let sizes = parts[2].split(separator: "x", omittingEmptySubsequences: false).map(size)
    guard sizes.count == 2, let width = sizes[0], let height = sizes[1] else { return nil }
    let name = parts[0].utf8
    let suffix = suffix(parts[1]).utf8
    // Works on bytes: the dot and the text before it may be one `Character`.
    let id = name.reversed().starts(with: suffix.reversed()) ? name.dropLast(suffix.count) : name[...]
    return Attachment(id: String(Substring(id)), mimeType: parts[1], height: height, width: width)
  }

  /// A number of digits without a sign.
  private static func size(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }

  private static func suffix(_ mimeType: String) -> String {
    types.first { $0.1 == mimeType }.map { "." + $0.0 } ?? ""
  }
}
