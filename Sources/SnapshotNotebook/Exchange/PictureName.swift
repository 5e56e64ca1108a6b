import SnapshotStore

/// Attachments in the files of notes: the name of a file, and what the name does not tell.
///
/// `photo.jpg` stands for the attachment `photo`, a JPEG of a size that is not known; `photo.jpg, image/jpeg, 30x20`
/// gives the width and the height too. Every attachment comes back exactly.
enum PictureName {
  /// Extensions and what they mean; the first one for a type is the one that is written.
  private static let types = [
    ("jpg", "image/jpeg"), ("jpeg", "image/jpeg"), ("png", "image/png"), ("gif", "image/gif"), ("heic", "image/heic"),
    ("webp", "image/webp"), ("tiff", "image/tiff"), ("svg", "image/svg+xml"), ("mp4", "video/mp4"),
    ("mov", "video/quicktime"), ("mp3", "audio/mpeg"), ("m4a", "audio/mp4"), ("pdf", "application/pdf"),
  ]

  /// The name of the file of an attachment: its id, and the extension of its type if there is one.
  static func fileName(of attachment: Attachment) -> String { attachment.id + suffix(attachment.mimeType) }

  /// The attachment that a file is taken for by its name alone.
  static func attachment(inFile name: String) -> Attachment {
    let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
    let type = dot.flatMap { dot in types.first { $0.0 == name[name.utf8.index(after: dot)...].lowercased() } }
    guard let dot, let type else {
      return Attachment(id: name, mimeType: "application/octet-stream", height: 0, width: 0)
    }
    return Attachment(id: String(name[..<dot]), mimeType: type.1, height: 0, width: 0)
  }

  /// What stands for an attachment.
  static func text(of attachment: Attachment) -> String {
    let name = fileName(of: attachment)
    if self.attachment(inFile: name) == attachment { return QuotedText.list([name]) }
    // Less than nothing is a size that is not known.
    return QuotedText.list([name, attachment.mimeType, "\(max(0, attachment.width))x\(max(0, attachment.height))"])
  }

  /// The attachment that a text stands for; nil for anything else.
  static func attachment(_ text: String) -> Attachment? {
    guard let parts = QuotedText.names(ofList: text) else { return nil }
    if parts.count == 1 { return attachment(inFile: parts[0]) }
    guard parts.count == 3 else { return nil }
    let sizes = parts[2].split(separator: "x", omittingEmptySubsequences: false).map(size)
    guard sizes.count == 2, let width = sizes[0], let height = sizes[1] else { return nil }
    let name = parts[0].utf8
    let suffix = suffix(parts[1]).utf8
    // By the byte: what stands before the dot may be one Character with it.
    let id = name.reversed().starts(with: suffix.reversed()) ? name.dropLast(suffix.count) : name[...]
    return Attachment(id: String(Substring(id)), mimeType: parts[1], height: height, width: width)
  }

  /// A number of digits only: no sign.
  private static func size(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }

  private static func suffix(_ mimeType: String) -> String {
    types.first { $0.1 == mimeType }.map { "." + $0.0 } ?? ""
  }
}
