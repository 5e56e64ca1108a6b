import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Random steps, undone and redone.
struct UndoIdentityTests {
  private let store = Store(Counters())

  private var values: [Int: Int] {
    store.read { Dictionary(uniqueKeysWithValues: $0.left.map { ($0.id, $0.value) }) }
  }

  // Random steps of ours, of one or more transactions, and steps of others on records of their own. Undoing all of ours
  // leaves only those of the others. Redoing all restores the earlier value.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func undoingIsTheIdentity(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let history = UndoHistory(of: store, excluding: ["other"])
    var others: [Int: Int] = [:]
    func edit(_ origin: Origin) throws {
      try store.write(origin: origin) { value in
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let id = Int.random(in: 0..<10, using: &random) + (origin == "other" ? 100 : 0)
          if Int.random(in: 0..<4, using: &random) == 0 {
            value.left.remove(id)
            others[id] = nil
          } else {
            let number = Int.random(in: 0..<100, using: &random)
            try value.set(id, to: number)
            if origin == "other" { others[id] = number }
          }
        }
      }
    }
    for _ in 0..<60 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try edit("other")
      case 1:
        try history.group("group") {
          for _ in 0..<3 { try edit(Bool.random(using: &random) ? .local : "other") }
        }
      default: try edit(.local)
      }
    }
    let done = values
    // Back and forth, while the others continue.
    while let outcome = try history.undo() { #expect(outcome.conflicts == [], "seed \(seed)") }
    #expect(values == others, "seed \(seed)")
    while try history.redo() != nil {}
    #expect(values == done, "seed \(seed)")
    try edit("other")
    while try history.undo() != nil {}
    #expect(values == others, "seed \(seed)")
    #expect(store.read { $0.allViolations() } == [])
  }
}
