import Foundation

/// Runs the examples of documentation comments, one after the other, and counts what they do not do.
@MainActor public enum Example {
  private static var name = ""
  private static var failures = 0
  private static var expectations = 0
  private static let patience = 30

  /// Runs one example in a folder of its own.
  package static func run(_ name: String, _ body: @escaping @MainActor @Sendable (URL) async throws -> Void) async {
    self.name = name
    printed = ""
    expectations = 0
    let watch = DispatchWorkItem { Self.stop("\(name): still runs after \(patience) seconds") }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(patience), execute: watch)
    defer { watch.cancel() }
    do {
      let folder = URL(filePath: FileManager.default.currentDirectoryPath)
        .appending(path: "work-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // A task of its own, so that an example may cancel it.
      try await Task { try await body(folder) }.value
      if expectations == 0 { fail("expects nothing") }
    } catch {
      fail("threw \(error)")
    }
  }

  /// Ends the program, with 1 if an example failed.
  package static func end() -> Never { exit(failures == 0 ? 0 : 1) }

  fileprivate static func expect(_ condition: Bool, _ file: StaticString, _ line: UInt) {
    expectations += 1
    if !condition { fail("not as expected at \(file):\(line); printed:\n\(printed)") }
  }

  nonisolated private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

  nonisolated private static func stop(_ reason: String) {
    say(reason)
    exit(1)
  }

  private static func fail(_ reason: String) {
    failures += 1
    say("\(name): \(reason)")
  }
}

/// Fails the example unless the condition holds.
@MainActor public func expect(_ condition: Bool, file: StaticString = #fileID, line: UInt = #line) {
  Example.expect(condition, file, line)
}

// An example has one task at a time that prints.
nonisolated(unsafe) package var printed = ""

/// Keeps what an example prints, for `expect`.
package func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  printed += items.map { "\($0)" }.joined(separator: separator) + terminator
}

/// What an app would show.
package func show(_ items: Any...) { printed += items.map { "\($0)" }.joined(separator: " ") + "\n" }
