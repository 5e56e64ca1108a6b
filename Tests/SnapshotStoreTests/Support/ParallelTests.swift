import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

@Suite struct ParallelTests {
  @Test func everyNumberOnceInOrder() {
    each([0, 1, 2, 3, 100, 10_000], [1, 2, 3, 64]) { (count: Int, threads: Int) in
      let calls = Mutex(0)
      let results = Parallel.map(count, threads: threads) { number in
        calls.withLock { $0 += 1 }
        return "\(number)"
      }
      #expect(results == (0..<count).map { "\($0)" })
      #expect(calls.withLock { $0 } == count)
    }
  }

  /// A step may use helper threads itself, and others may do so at the same time. Nothing waits for a helper that has
  /// not begun.
  @Test func stepsWithinSteps() {
    let sums = Parallel.map(16, threads: 4) { outer in
      Parallel.map(16, threads: 4) { inner in
        Parallel.map(16, threads: 4) { outer + inner + $0 }.reduce(0, +)
      }.reduce(0, +)
    }
    #expect(sums == (0..<16).map { outer in 256 * outer + 2 * 16 * 120 })
  }

  /// Two steps that wait for each other both end.
  @Test(.enabled(if: Parallel.defaultThreads > 1)) func stepsRunBesideEachOther() {
    let semaphores = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let results = Parallel.map(2, threads: 2) { number in
      (number == 0 ? semaphores.0 : semaphores.1).signal()
      return (number == 0 ? semaphores.1 : semaphores.0).wait(timeout: .now() + 600) == .success
    }
    #expect(results == [true, true])
  }

  /// Calls that make Dispatch start its event loop. The loop needs three descriptors, and Dispatch ends the process if
  /// none is left.
  @Test func nothingNeedsAnEventLoop() throws {
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    root.append(path: "Sources")
    let words = /DispatchSource\.|asyncAfter|concurrentPerform|DispatchQueue\.global|queue: \.global/
    var users: [String] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix(".swift") {
      let lines = try String(contentsOf: root.appending(path: path), encoding: .utf8).split(separator: "\n")
      let code = lines.filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
      if code.contains(where: { $0.contains(words) }) { users.append(path) }
    }
    // On Apple's systems only.
    #expect(users == ["SnapshotStore/Files/DirectoryWatch.swift"])
  }
}
