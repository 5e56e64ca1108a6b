import Foundation

/// A text in a file of its own, for an editor. No other user can read it, or the files that editors put beside it.
struct TextDraft {
  let path: String
  private let folder: String
  private let original: Data
  /// Whether a line feed was added to the text, as editors do. It is removed again.
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

  /// The current text of the file.
  func text() throws -> String {
    guard let text = try left()?.text() else { throw CommandFailure("the edited file cannot be read", .ioError) }
    guard endsWithAddedLineFeed, text.utf8.last == UInt8(ascii: "\n") else { return text }
    return String(decoding: text.utf8.dropLast(), as: UTF8.self)
  }

  /// The file in its current state, open; nil if it cannot be opened or is no regular file. Does not wait for the other
  /// side of a pipe.
  private func left() throws -> BoundedInput? {
    let descriptor = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return BoundedInput(name: "the edited file", handle: file)
  }

  /// The path of edits that were not saved, if there are any: the file, or the folder if the editor has left only other
  /// files. Editors recover unsaved text from such files after a crash.
  var pathOfChanges: String? {
    // A file that is no valid text differs from the original.
    let isOriginal = try? left()?.text().utf8.elementsEqual(original)
    if isOriginal != true, FileManager.default.fileExists(atPath: path) { return path }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.allSatisfy { folder + "/" + $0 == path } ? nil : folder
  }

  /// Removes the file and the files that the editor has put beside it.
  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  private static func failure(_ action: String) -> CommandFailure {
    CommandFailure("\(action) failed: \(String(cString: strerror(errno)))", .cannotCreate)
  }
}
