import Foundation

/// A text in a file of its own, for an editor. Nobody else can read it, nor what editors put beside it.
struct TextDraft {
  let path: String
  private let folder: String
  private let original: Data
  /// Whether a line feed was added to the text, as editors do; it is taken away again.
  private let endsWithAddedLineFeed: Bool

  init(_ text: String, name: String) throws {
    endsWithAddedLineFeed = !text.isEmpty && text.utf8.last != UInt8(ascii: "\n")
    original = Data((text + (endsWithAddedLineFeed ? "\n" : "")).utf8)
    var template = Array(FileManager.default.temporaryDirectory.appending(path: "snapshot-cli-XXXXXX").path.utf8CString)
    guard mkdtemp(&template) != nil else { throw Self.failure("making a temporary folder") }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    path = folder + "/" + name
    let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("making a temporary file") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try file.write(contentsOf: original)
      try file.close()
    } catch {
      remove()
      throw Self.failure("writing a temporary file")
    }
  }

  /// The text that is in the file now.
  func text() throws -> String {
    guard let bytes = contents else { throw Failure("what the editor has left cannot be read", .ioError) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure("what the editor has left is not UTF-8 text", .badData)
    }
    guard endsWithAddedLineFeed, bytes.last == UInt8(ascii: "\n") else { return text }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  /// Where to find what was written, if anything was: the file, or the folder if the editor has left other files only, such as
  /// those from which one that was killed recovers what was not saved.
  var pathOfChanges: String? {
    if let contents, contents != original { return path }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.allSatisfy { folder + "/" + $0 == path } ? nil : folder
  }

  /// Removes the file, and what the editor has put beside it.
  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  private var contents: Data? { FileManager.default.contents(atPath: path) }

  private static func failure(_ action: String) -> Failure {
    Failure("\(action) failed: \(String(cString: strerror(errno)))", .cannotCreate)
  }
}
