import Foundation

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// A store whose file has 1: 1 and 2: 2, and another program that changes the file. The other table has a number that
/// no program writes by chance. It shows that the other program has read the file with that number.
struct ExternalChangeWorld {
  let test = StoreUnderTest()
  let store: Store<Counters>

  init(_ policy: ExternalChange.Policy) throws {
    var options = StoreOptions(policy: .manual)
    options.log = { _ in }
    options.externalChanges = policy
    store = try test.open(Counters.self, options)
    try store.write {
      try $0.set(1, to: 1)
      try $0.set(2, to: 2)
      try $0.right.insert(Counter(id: 1, value: 7_316_540_239_951_718))
    }
    try store.flushAndWait()
  }

  /// Another program reads the file, changes it, and replaces it.
  func change(_ body: (inout Counters) throws -> Void) throws {
    var counters: Counters = try test.stored()
    try body(&counters)
    test.bytes = try SnapshotFile.encode(counters, as: .json)
  }

  var values: [Int: Int] { store.read { Dictionary(uniqueKeysWithValues: $0.left.map { ($0.id, $0.value) }) } }

  func stored() throws -> [Int: Int] {
    Dictionary(uniqueKeysWithValues: try test.stored(Counters.self).left.map { ($0.id, $0.value) })
  }
}
