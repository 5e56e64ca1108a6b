import Foundation

/// Lines in and out, by `readv` and `writev`, which no save uses. A fault in `read` or `write` is then one of the save.
final class Wire {
  private var received: [UInt8] = []

  /// Writes a line at once. If nobody reads it, nothing is left to do.
  func say(_ line: String) {
    var bytes = Array(line.replacing("\n", with: "\\n").utf8) + [0x0A]
    let count = bytes.count
    let written = bytes.withUnsafeMutableBytes { buffer in
      var vector = iovec(iov_base: buffer.baseAddress, iov_len: count)
      return writev(STDOUT_FILENO, &vector, 1)
    }
    if written != count { exit(3) }
  }

  /// The next line of standard input; nil at its end.
  func nextLine() -> String? {
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        defer { received.removeSubrange(...end) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      var chunk = [UInt8](repeating: 0, count: 4_096)
      let count = chunk.withUnsafeMutableBytes { buffer in
        var vector = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
        return readv(STDIN_FILENO, &vector, 1)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return nil }
      received += chunk[..<count]
    }
  }
}
