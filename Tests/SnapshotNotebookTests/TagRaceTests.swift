import Foundation
import Synchronization
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Threads that ask one store for the same new tags get the same tags.
struct TagRaceTests {
  // The testing library has a `Tag` too.
  private typealias Tag = SnapshotNotebook.Tag

  @Test(arguments: SeededGenerator.seeds(1))
  func eightThreadsAndManyNames(seed: UInt64) throws {
    let count = Proofs.pick(full: 10_000, quick: 1_500)
    let store = Store<Notebook>()
    let outcomes = Mutex<[[Tag.ID: Tag]]>([])
    let failures = Mutex<[String]>([])
    let ready = DispatchGroup()
    let finished = DispatchGroup()

    // Separate threads: a pool would run at most as many at once as there are cores.
    for number in 0..<8 {
      ready.enter()
      finished.enter()
      Thread.detachNewThread {
        defer { finished.leave() }
        var random = SeededGenerator(seed: seed &* 8 &+ UInt64(number))
        let names = (0..<count).shuffled(using: &random).map { Self.spelling(of: $0, by: number) }
        ready.leave()
        ready.wait()
        do {
          let tags = try names.map { try store.tag(named: $0) }
          outcomes.withLock { $0.append(Dictionary(tags.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })) }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    finished.wait()

    let notebook = store.snapshot().value
    let stored = Dictionary(uniqueKeysWithValues: notebook.tags.map { ($0.id, $0) })
    #expect(failures.withLock { $0 } == [])
    #expect(notebook.tags.count == count)
    #expect(outcomes.withLock { $0.count } == 8)
    #expect(outcomes.withLock { $0.allSatisfy { $0 == stored } })
    // One transaction for each new tag, and none for existing ones.
    #expect(store.revision == count)
    #expect(notebook.allViolations() == [])
  }

  /// Each thread spells the names in its own way.
  private static func spelling(of index: Int, by thread: Int) -> String {
    let name = "Étiquette \(index)"
    return switch thread % 4 {
    case 0: name
    case 1: name.uppercased()
    case 2: "  " + name.decomposedStringWithCanonicalMapping
    default: name.lowercased().replacingOccurrences(of: " ", with: "\t \n")
    }
  }
}
