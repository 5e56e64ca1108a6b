@testable import SnapshotStore
@testable import TestSupport

/// The records that all stores change. Each version of them has a number of its own.
extension Party {
  func id(_ slot: Int) -> Int { world.id(slot, of: number) }

  func put(_ slot: Int, _ value: Int?, in root: inout Root) throws {
    try root.put(id(slot), value.map { world.isContested(id(slot)) ? world.marks.next() : $0 })
  }

  /// Throws if an unsaved version is gone, and no conflict was told.
  func requireUnsaved() throws {
    if store == nil || isUncertain || isKilled || unsaved.isEmpty { return }
    let numbers = numbers
    let gone = unsaved.filter { id, mark in !world.marks.isThere(mark, id, numbers[id]) }
    for (id, mark) in gone where world.marks.isTold(id, since: mark) { unsaved[id] = nil }
    guard let (id, mark) = gone.first(where: { unsaved[$0.key] != nil }) else { return }
    throw ExplorerWorld.Failure("store \(number) has \(numbers), and had the unsaved version \(mark) of \(id)")
  }

  func noteContested(_ before: [Int: Int]) {
    let now = world.contested(numbers)
    for id in Set(before.keys).union(now.keys) where before[id] != now[id] {
      if unsaved[id] == nil { saved[id] = .some(before[id]) }
      let mark = world.marks.note(id, from: before[id], to: now[id])
      // A change and the way back are none.
      unsaved[id] = saved[id] == .some(now[id]) ? nil : mark
    }
  }

  func acknowledgeContested() {
    if isKilled { return }
    for (id, mark) in unsaved { world.marks.acknowledge(id, mark) }
    unsaved = [:]
  }
}
