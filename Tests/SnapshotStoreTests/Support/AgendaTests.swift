import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The entries that are due in an order.
struct AgendaTests {
  /// An order that counts its comparisons.
  private struct Counted: Comparable, Sendable {
    @TaskLocal static var comparisons: Counter?
    final class Counter: Sendable { let count = SmallLock(0) }

    let order: Int

    static func < (a: Counted, b: Counted) -> Bool {
      comparisons?.count.withLock { $0 += 1 }
      return a.order < b.order
    }
  }

  @Test func entriesOfEqualOrderAreDueAsTheyWereAdded() {
    var agenda = Agenda<Int, String>()
    for text in ["a", "b", "c"] { agenda.add(text, at: 1) }
    agenda.add("first", at: 0)
    #expect(agenda.first == 0)
    #expect(agenda.takeAll(through: 1) == ["first", "a", "b", "c"])
    #expect(agenda.first == nil)
    #expect(agenda.takeFirst(through: .max) == nil)
  }

  @Test func aPostponedEntryKeepsItsNumber() throws {
    var agenda = Agenda<Int, String>()
    let id = agenda.add("a", at: 1)
    agenda.add("b", at: 3)
    #expect(agenda.postponeFirst(through: 0, to: 2) == nil)
    let postponed = agenda.postponeFirst(through: 1, to: 4)
    #expect(postponed?.id == id)
    #expect(postponed?.entry == "a")
    #expect(agenda.first == 3)
    #expect(agenda.remove(id) == "a")
    #expect(agenda.remove(id) == nil)
    #expect(agenda.takeAll(through: .max) == ["b"])
  }

  /// Beside a sorted array.
  @Test(arguments: SeededGenerator.seeds(20)) func randomUseIsAsInASortedArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var agenda = Agenda<Int, Int>()
    var model: [(order: Int, id: Int)] = []
    for step in 0..<2_000 {
      let order = Int.random(in: 0..<50, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case ..<5: model.append((order, agenda.add(step, at: order)))
      case ..<7:
        guard let removed = model.randomElement(using: &random) else { break }
        #expect(agenda.remove(removed.id) != nil)
        model.removeAll { $0.id == removed.id }
      case 7:
        guard let first = model.min(by: { $0 < $1 }) else { break }
        let id = agenda.postponeFirst(through: first.order, to: first.order + order)?.id
        #expect(id == first.id)
        model.removeAll { $0.id == first.id }
        model.append((first.order + order, first.id))
      case 8:
        #expect(agenda.takeAll(through: order / 4).count == model.count { $0.order <= order / 4 })
        model.removeAll { $0.order <= order / 4 }
      default:
        #expect((agenda.takeFirst(through: order) == nil) == !model.contains { $0.order <= order })
        if let first = model.min(by: { $0 < $1 }), first.order <= order { model.removeAll { $0.id == first.id } }
      }
      #expect(agenda.first == model.map(\.order).min())
      #expect(agenda.count == model.count)
    }
  }

  @Test func anAgendaLooksAtFewEntries() {
    let counter = Counted.Counter()
    func comparisons(_ body: () -> Void) -> Int {
      counter.count.withLock { $0 = 0 }
      Counted.$comparisons.withValue(counter, operation: body)
      return counter.count.withLock { $0 }
    }
    var agenda = Agenda<Counted, Int>()
    var ids: [Int] = []
    for order in 0..<20_000 { ids.append(agenda.add(order, at: Counted(order: order * 7_919 % 20_000))) }
    #expect(comparisons { _ = agenda.takeAll(through: Counted(order: -1)) } <= 1)
    #expect(comparisons { _ = agenda.takeFirst(through: Counted(order: 0)) } <= 100)
    #expect(comparisons { agenda.add(0, at: Counted(order: -1)) } <= 100)
    // Cancelled waits leave nothing behind, although they were not first.
    #expect(comparisons { for id in ids.shuffled() { _ = agenda.remove(id) } } <= 20_000 * 100)
    #expect(agenda.count == 1)
    #expect(agenda.takeAll(through: Counted(order: .max)) == [0])
  }
}
