public import Foundation

/// The names of files, as the user gives them.
///
/// ```swift
/// let url = try FileName.url(path)             // also for a name such as ~ or a:b
/// throw CommandFailure("\(FileName.shown(path)) has no posts", .badData)
/// ```
public enum FileName {
  /// The URL of a path, exactly as the user gave it. `URL` would expand a tilde at its beginning, which only a shell
  /// should do.
  ///
  /// - Throws: ``CommandFailure`` for an empty path.
  public static func url(_ path: String) throws -> URL {
    if path.isEmpty { throw CommandFailure.usage("a file name must not be empty") }
    return URL(filePath: path.hasPrefix("~") ? "./" + path : path)
  }

  /// The name of a source in messages: the path, or “standard input” for `-`.
  public static func shown(_ path: String) -> String { isStandard(path) ? "standard input" : path }

  /// Whether a path is standard input or output: `-`, or the name that the system has for it.
  public static func isStandard(_ path: String) -> Bool {
    ["-", "/dev/stdin", "/dev/stdout", "/dev/fd/0", "/dev/fd/1"].contains(path)
  }

  /// Whether a path is standard input or output, a pipe or a device. It is read or written once, from the beginning to
  /// the end, and nothing is beside it. A shell gives such a path for `<(command)`.
  public static func isStream(_ path: String) -> Bool {
    if isStandard(path) { return true }
    var status = stat()
    guard let url = try? url(path), stat(url.path(percentEncoded: false), &status) == 0 else { return false }
    return [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// - Throws: ``CommandFailure`` if two of the paths are one stream, which cannot be read or written twice.
  public static func requireDifferentStreams(_ paths: String?...) throws {
    let streams = paths.compactMap(\.self).filter(isStream).map { isStandard($0) ? "-" : $0 }
    guard let twice = streams.first(where: { name in streams.count { $0 == name } > 1 }) else { return }
    throw CommandFailure.usage("“\(twice.shortForMessage)” is named twice, but it can be used once only")
  }

  /// - Throws: ``CommandFailure`` if the path is a stream, which cannot be changed.
  static func requireFile(_ path: String, _ use: String) throws {
    if path == "-" { throw CommandFailure.usage("\(use); “-” is standard input or output, and “./-” a file") }
    if isStream(path) { throw CommandFailure.usage("\(use); “\(path.shortForMessage)” is a pipe or a device") }
  }
}
