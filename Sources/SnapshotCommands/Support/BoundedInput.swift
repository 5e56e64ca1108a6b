public import Foundation
import SnapshotStore

/// A source of bytes of unknown length. It is read in pieces, up to a limit.
///
/// ```swift
/// let text = try BoundedInput.standardInput.text()   // refused unless it is UTF-8
/// ```
public struct BoundedInput {
  /// Standard input.
  public static var standardInput: BoundedInput { BoundedInput(name: "standard input", handle: .standardInput) }

  /// The limit for the text of a note from standard input or an editor.
  public static let textLimit = 64 << 20
  private static let pieceSize = 1 << 18

  /// The name of the source in errors.
  let name: String
  private let handle: FileHandle

  /// A source with a name for errors.
  public init(name: String, handle: FileHandle) {
    self.name = name
    self.handle = handle
  }

  /// Standard input, a pipe or a device. It waits until another program writes.
  init(_ path: String) throws {
    if FileName.isStandard(path) {
      self = .standardInput
      return
    }
    do {
      self.init(name: path, handle: try FileHandle(forReadingFrom: FileName.url(path)))
    } catch {
      throw CommandFailure("\(path.forTerminal): it cannot be opened", .noInput)
    }
  }

  /// All bytes.
  ///
  /// - Throws: a failure if there are more than a store may have.
  public func bytes() throws -> [UInt8] {
    let limit = ReadLimits().fileSize
    return try bytes(upTo: limit) { "it has more than \(Counts.text(limit, "byte")), which is the limit" }
  }

  /// All bytes as a text.
  ///
  /// - Throws: a failure if they are more than a text may have, or not UTF-8.
  public func text() throws -> String {
    let bytes = try bytes(upTo: Self.textLimit) {
      "the text is longer than the limit of \(Counts.text(Self.textLimit, "byte"))"
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("it is not UTF-8 text", .badData) }
    return text
  }

  private func bytes(upTo limit: Int, _ excess: () -> String) throws -> [UInt8] {
    // A file of known size over the limit is not read.
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
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw failure("reading failed: \(String(cString: strerror(errno)))", .ioError)
    }
    return bytes
  }

  private func failure(_ message: String, _ code: ExitCode) -> CommandFailure {
    CommandFailure("\(name): \(message)", code)
  }
}
