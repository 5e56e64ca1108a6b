import Foundation

/// The user's editor, from the environment.
struct Editor {
  private let command: String

  init() throws {
    let environment = ProcessInfo.processInfo.environment
    let commands = ["VISUAL", "EDITOR"].compactMap { environment[$0] }
    guard let command = commands.first(where: { !$0.allSatisfy(\.isWhitespace) }) else {
      throw CommandFailure.usage("no editor: set VISUAL or EDITOR")
    }
    self.command = command
  }

  /// Opens a file, and returns when the editor ends.
  ///
  /// It runs the command with the shell, as git does, so that it may contain arguments and quotes. It uses `system` for
  /// two reasons. `Process` puts the editor into a process group of its own, which may not read the terminal. And an
  /// interrupt is meant for the editor.
  func open(_ path: String) throws {
    let quoted = "'" + path.replacing("'", with: "'\\''") + "'"
    let status = system("\(command) \(quoted)")
    guard status != 0 else { return }
    let name = "the editor (\(command.forTerminal))"
    if status == -1 {
      throw CommandFailure("\(name) could not be started: \(String(cString: strerror(errno)))", .ioError)
    }
    // The status as POSIX defines it: the signal, or the exit code in the next byte.
    let signal = status & 0x7F
    if signal != 0 { throw CommandFailure("\(name) was ended by signal \(signal)", .ioError) }
    throw CommandFailure("\(name) exited with \(status >> 8 & 0xFF)", .ioError)
  }
}
