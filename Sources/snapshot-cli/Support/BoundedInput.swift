import Foundation
import SnapshotStore

/// A source of bytes whose end nobody knows beforehand: read in pieces, and no further than a limit.
struct BoundedInput {
  static var standardInput: BoundedInput { BoundedInput(name: "standard input", handle: .standardInput) }

  /// The longest text of a note that is taken from standard input or an editor.
  static let textLimit = 64 << 20
  private static let pieceSize = 1 << 18

  /// What errors call it.
  let name: String
  let handle: FileHandle

  /// All bytes.
  ///
  /// - Throws: a failure if there are more than a store may have.
  func bytes() throws -> [UInt8] {
    let limit = ReadLimits().fileSize
    return try bytes(upTo: limit) { "it has more than \(Counts.text(limit, "byte")), which is the limit" }
  }

  /// All bytes as a text.
  ///
  /// - Throws: a failure if it is longer than a text may be, or no text.
  func text() throws -> String {
    let bytes = try bytes(upTo: Self.textLimit) {
      "the text is longer than the limit of \(Counts.text(Self.textLimit, "byte"))"
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("it is not UTF-8 text", .badData) }
    return text
  }

  private func bytes(upTo limit: Int, _ excess: () -> String) throws -> [UInt8] {
    // A file that is known to be too large need not be read.
    var status = stat()
    if fstat(handle.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > limit {
      throw failure(excess(), .badData)
    }
    var bytes: [UInt8] = []
    do {
      while let piece = try handle.read(upToCount: Self.pieceSize), !piece.isEmpty {
        if bytes.count + piece.count > limit { throw failure(excess(), .badData) }
        bytes += piece
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw failure("reading failed: \(String(cString: strerror(errno)))", .ioError)
    }
    return bytes
  }

  private func failure(_ message: String, _ code: ExitCode) -> Failure { Failure("\(name): \(message)", code) }
}
