import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Rules see what each side of a merge has lost, whichever side is published.
struct BothSidesTests {
  private static func glaze(_ pottery: inout Pottery) throws { try pottery.pots.update(1) { $0.glaze = "ash" } }
  private static func breakAsh(_ pottery: inout Pottery) { pottery.glazes.remove("ash") }

  // MARK: A side effect that is no derived property

  @Test func aScratchpad() throws {
    let store = Store(try Pottery.filled())
    let pad = store.scratchpad()
    try pad.write(Self.glaze)
    try store.write { Self.breakAsh(&$0) }
    try pad.commit()
    #expect(store.read { $0.isSound && $0.pots.count == 1 })
    #expect(pad.read { $0.isSound })
  }

  @Test func aBackgroundBlock() async throws {
    let store = Store(try Pottery.filled())
    let isFirst = SmallLock(true)
    try await store.performBackground { pottery in
      try Self.glaze(&pottery)
      if isFirst.withLock({ isFirst in
        defer { isFirst = false }; return isFirst
      }) {
        let ended = DispatchSemaphore(value: 0)
        Thread {
          #expect(throws: Never.self) { try store.write { Self.breakAsh(&$0) } }
          ended.signal()
        }.start()
        ended.wait()
      }
    }
    #expect(store.read { $0.isSound })
  }

  @Test func anUndo() throws {
    let store = Store(try Pottery.filled())
    let history = UndoHistory(of: store, excluding: ["other"])
    try store.write(Self.glaze)
    try store.write { try $0.pots.update(1) { $0.glaze = nil } }
    try store.write(origin: "other") { Self.breakAsh(&$0) }
    try history.undo()
    #expect(store.read { $0.isSound })
  }

  @Test(arguments: [ExternalChange.Policy.merge, .reload]) func anotherProgram(
    _ policy: ExternalChange.Policy
  ) async throws {
    let test = StoreUnderTest()
    test.bytes = try SnapshotFile.encode(try Pottery.filled(), as: .json)
    var options = StoreOptions(policy: .manual)
    options.externalChanges = policy
    let store = try test.open(Pottery.self, options)
    if policy == .merge { try store.write(Self.glaze) }
    var theirs = try test.stored(Pottery.self)
    Self.breakAsh(&theirs)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    _ = await store.checkFile()
    #expect(store.read { $0.isSound && $0.glazes.isEmpty })
    try await store.close()
  }

  @Test func aSharedStore() throws {
    let test = StoreUnderTest(savesAtOnce: false)
    test.bytes = try SnapshotFile.encode(try Pottery.filled(), as: .json)
    let options = StoreOptions(policy: .manual, access: .shared, journal: .beside())
    let (a, b) = (try test.open(Pottery.self, options), try test.open(Pottery.self, options))
    test.settle()
    for (one, other) in [(a, b), (b, a)] {
      try one.write(Self.glaze)
      try other.write { Self.breakAsh(&$0) }
      try test.save(other, folding: false)
      try test.save(one, folding: false)
      test.settle()
      #expect(a.read { $0.isSound } && b.read { $0.isSound })
      try one.write { pottery in
        try pottery.glazes.upsert(Pottery.Glaze(id: "ash"))
        try pottery.pots.update(1) { $0.glaze = nil }
      }
      try test.save(one, folding: false)
    }
    try test.save(a, folding: true)
    try a.closeAndWait()
    try test.save(b, folding: true)
    try b.closeAndWait()
  }

  // MARK: Totals

  @Test func anUndoOfWhatASyncHasReplaced() throws {
    let store = Store(try OrderBook.filled())
    let history = UndoHistory(of: store, excluding: ["sync"])
    try store.write { try $0.add(3, to: 1, price: 3) }
    try store.write(origin: "sync") { book in
      book.items.remove(3)
      try book.add(4, to: 1, price: 4)
    }
    let outcome = try history.undo()
    #expect(store.read { $0.problems() } == [])
    #expect(outcome?.conflicts == [])
  }

  /// The item that does not fit was counted on its side only.
  @Test func aRecordThatIsLeftOut() throws {
    let store = Store(try OrderBook.filled())
    let pad = store.scratchpad()
    try pad.write { try $0.add(6, to: 2, price: 7, sku: "x") }
    try store.write { try $0.add(5, to: 1, price: 3, sku: "x") }
    let outcome = try pad.commit(policy: .ours)
    #expect(store.read { $0.problems() } == [])
    #expect(outcome.conflicts.map(\.resolution) == [.leftTheirsOut])
    #expect(store.read { $0.deletedItems.isEmpty })
  }

  @Test func bothSidesChangeOneTotal() throws {
    let store = Store(try OrderBook.filled())
    let history = UndoHistory(of: store, excluding: ["other"])
    let pad = store.scratchpad()
    try pad.write { try $0.setPrice(1, 10) }
    try store.write { try $0.setPrice(2, 11) }
    let outcome = try pad.commit()
    #expect(outcome == MergeOutcome())
    #expect(store.read { $0.orders[1]?.total } == 21)
    try store.write(origin: "other") { try $0.setPrice(2, 3) }
    #expect(try history.undo()?.conflicts == [])
    #expect(store.read { $0.problems() } == [])
  }

  @Test func twoSharedStoresKeepNoFileForATotal() throws {
    let test = StoreUnderTest(savesAtOnce: false)
    test.bytes = try SnapshotFile.encode(try OrderBook.filled(), as: .json)
    let reports = SmallLock<[ExternalChange]>([])
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside())
    options.onExternalChange = { change in reports.withLock { $0.append(change) } }
    let (a, b) = (try test.open(OrderBook.self, options), try test.open(OrderBook.self, options))
    test.settle()
    try a.write { try $0.setPrice(1, 10) }
    try b.write { try $0.setPrice(2, 11) }
    try test.save(a, folding: false)
    try test.save(b, folding: false)
    test.settle()
    #expect(a.read { $0.orders[1]?.total } == 21 && b.read { $0.orders[1]?.total } == 21)
    #expect(a.read { $0.problems() } == [])
    #expect(reports.withLock { $0.isEmpty })
    for store in [a, b] {
      try test.save(store, folding: true)
      try store.closeAndWait()
    }
    #expect(test.paths == ["/dir/store.json"])
  }

  @Test func bothSidesOverTheLimit() throws {
    let store = Store(try OrderBook.filled())
    let pad = store.scratchpad()
    try pad.write { try $0.add(3, to: 1, price: 40) }
    try store.write { try $0.add(4, to: 1, price: 40) }
    let refusal = #expect(throws: TransactionRefusal.self) { try pad.commit() }
    #expect(refusal?.violations.map(\.description) == ["orders 1: the total is 83"])
    #expect(store.read { $0.problems() } == [])
  }

  /// A total that someone has written is no total.
  @Test func aTotalThatSomeoneHasWritten() async throws {
    let store = Store(try OrderBook.filled())
    try store.write { try $0.orders.update(1) { $0.total = 99 } }
    #expect(store.read { $0.orders[1]?.total } == 3)
    let test = StoreUnderTest()
    test.bytes = try SnapshotFile.encode(try OrderBook.filled(), as: .json)
    var options = StoreOptions(policy: .manual)
    options.externalChanges = .merge
    let opened = try test.open(OrderBook.self, options)
    var theirs = try test.stored(OrderBook.self)
    try theirs.orders.update(1) {
      $0.total = 99
      $0.note = "late"
    }
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    guard case .merged(let outcome, nil)? = await opened.checkFile() else { return #expect(Bool(false)) }
    #expect(outcome == MergeOutcome())
    #expect(opened.read { $0.orders[1] } == OrderBook.Order(id: 1, note: "late", total: 3))
    #expect(opened.read { $0.problems() } == [])
    try await opened.close()
  }

  /// A record that was removed here and only computed again there is no conflict.
  @Test func aComputedPropertyKeepsNoRecord() throws {
    let base = try OrderBook.filled()
    var (ours, theirs) = (base, base)
    ours.orders.remove(2)
    try theirs.orders.update(2) { $0.total = 5 }
    for (one, other) in [(ours, theirs), (theirs, ours)] {
      let merged = OrderBook.merging(base: base, ours: one, theirs: other)
      #expect(merged.value.orders.ids == [1, 3] && merged.conflicts == [])
    }
  }
}
