import Foundation
import Testing

@testable import SnapshotStore

/// The end of the process, with changes that no save has been due for.
@Suite(.timeLimit(.minutes(10)))
struct StoreExitTests {
  /// Opens a store that saves only when asked, and changes it.
  private static func openAndChange(_ url: URL, flushesOnExit: Bool) throws -> Store<Counters> {
    var options = StoreOptions(policy: .manual)
    options.flushesOnExit = flushesOnExit
    options.log = { _ in }
    let store = try Store<Counters>.open(at: url, options: options)
    try store.write { try $0.set(1, to: 1) }
    return store
  }

  private static func saved(_ url: URL) throws -> Int? { try SnapshotFile.read(Counters.self, at: url).left[1]?.value }

  @Test func exitSaves() async throws {
    try await FolderUnderTest.with(.real) { folder in
      let url = folder.url("store.json")
      await #expect(processExitsWith: .exitCode(3)) { [url = url as URL] in
        let store = try Self.openAndChange(url, flushesOnExit: true)
        withExtendedLifetime(store) { exit(3) }
      }
      let saved = try Self.saved(url)
      #expect(saved == 1)
      await #expect(processExitsWith: .exitCode(3)) { [url = folder.url("other.json") as URL] in
        let store = try Self.openAndChange(url, flushesOnExit: false)
        withExtendedLifetime(store) { exit(3) }
      }
      let unsaved = try Self.saved(folder.url("other.json"))
      #expect(unsaved == nil)
    }
  }

  // The process ends by the signal, as its parent expects, but saves first.
  @Test func sigtermSaves() async throws {
    try await FolderUnderTest.with(.real) { folder in
      let url = folder.url("store.json")
      await #expect(processExitsWith: .signal(SIGTERM)) { [url = url as URL] in
        let store = try Self.openAndChange(url, flushesOnExit: true)
        kill(getpid(), SIGTERM)
        withExtendedLifetime(store) { while true { pause() } }
      }
      let saved = try Self.saved(url)
      #expect(saved == 1)
    }
  }

  @Test func sigintSaves() async throws {
    try await FolderUnderTest.with(.real) { folder in
      let url = folder.url("store.json")
      await #expect(processExitsWith: .signal(SIGINT)) { [url = url as URL] in
        let store = try Self.openAndChange(url, flushesOnExit: true)
        kill(getpid(), SIGINT)
        withExtendedLifetime(store) { while true { pause() } }
      }
      let saved = try Self.saved(url)
      #expect(saved == 1)
    }
  }

  // A program's own handler stays, and is called; the store leaves the signal to it.
  @Test func handlersOfTheProgramStay() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .exitCode(7)) { [url = folder.url("store.json") as URL] in
        signal(SIGTERM) { _ in _exit(7) }
        signal(SIGINT, SIG_IGN)
        let store = try Self.openAndChange(url, flushesOnExit: true)
        kill(getpid(), SIGINT)
        kill(getpid(), SIGTERM)
        withExtendedLifetime(store) { while true { pause() } }
      }
      let saved = try Self.saved(folder.url("store.json"))
      #expect(saved == nil)
    }
  }

  @Test func aClosedStoreIsForgotten() async throws {
    try await FolderUnderTest.with(.real) { folder in
      let url = folder.url("store.json")
      await #expect(processExitsWith: .exitCode(3)) { [url = url as URL] in
        let store = try Self.openAndChange(url, flushesOnExit: true)
        try store.closeAndWait()
        var next: Store<Counters>? = try Self.openAndChange(url, flushesOnExit: true)
        try next?.write { try $0.set(1, to: 2) }
        next = nil
        exit(3)
      }
      // The second one was let go, and its policy is manual.
      let saved = try Self.saved(url)
      #expect(saved == 1)
    }
  }
}
