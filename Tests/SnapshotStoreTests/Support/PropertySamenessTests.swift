import Foundation
import Synchronization
import Testing

@testable import SnapshotStore

/// What stands beside a model's tables is compared by its stored properties, whatever lies between them in memory.
struct PropertySamenessTests {
  private struct Inner {
    var flag: UInt8
    var size: Double
    var last: Bool
  }

  private enum Choice {
    case none, other
    case named(String)
    case inner(Inner)
  }

  private struct Padded {
    var flag = true
    var inner = Inner(flag: 1, size: .nan, last: true)
    var choice: Int?
    var optional: Inner?
    var state = Choice.none
    var states = [Choice.none]
    var pair: (UInt8, Int) = (1, 2)
    var now: @Sendable () -> Date = { Date(timeIntervalSince1970: 0) }
    var names: Set<String> = ["a", "b"]
    var text = "a text that is not small"
    var box = Box()
    var end = true
  }

  /// An object, of which two may be in a circle.
  private final class Box: Equatable, Sendable {
    let next = Mutex<Box?>(nil)

    static func == (a: Box, b: Box) -> Bool { true }
  }

  /// Its `==` leaves a property out.
  private struct Narrow: Hashable {
    var id: Int
    var text: String

    static func == (a: Narrow, b: Narrow) -> Bool { a.id == b.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  /// A copy of the value in memory that held other bytes before, wherever the value leaves them as they are.
  private func inSoiledMemory<Value>(_ value: Value, _ soil: UInt8, _ body: (UnsafePointer<Value>) -> Void) {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    UnsafeMutableRawPointer(memory).initializeMemory(as: UInt8.self, repeating: soil, count: MemoryLayout<Value>.stride)
    memory.initialize(to: value)
    body(memory)
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  private func areSame<Value>(_ a: Value, _ b: Value) -> Bool {
    var results: Set<Bool> = []
    inSoiledMemory(a, 0x00) { a in
      inSoiledMemory(b, 0xff) { b in results.insert(PropertySameness.areSame(a.pointee, b.pointee)) }
    }
    results.insert(PropertySameness.areSame(a, b))
    #expect(results.count == 1)
    return results == [true]
  }

  @Test func whatLiesBetweenPropertiesDoesNotCount() {
    #expect(areSame(Inner(flag: 1, size: .nan, last: true), Inner(flag: 1, size: .nan, last: true)))
    let value = Padded()
    #expect(areSame(value, value))
    let store = Padded(
      optional: Inner(flag: 1, size: 2, last: false), state: .inner(Inner(flag: 1, size: 2, last: false)))
    #expect(areSame(store, store))
  }

  @Test(arguments: 0..<16) func eachPropertyCounts(_ index: Int) {
    let value = Padded()
    var other = value
    switch index {
    case 0: other.flag = false
    case 1: other.inner.last = false
    case 2: other.inner.size = -.nan
    case 3: other.choice = 0
    case 4: other.optional = Inner(flag: 0, size: 0, last: false)
    case 5: other.state = .other
    case 6: other.state = .named("a")
    case 7: other.states.append(.none)
    case 8: other.pair.1 = 3
    case 9: other.now = { Date(timeIntervalSince1970: 1) }
    case 10: other.names.insert("c")
    case 11: other.text += "."
    case 12: other.box = Box()
    case 13: other.end = false
    case 14: other.inner.flag = 2
    default: other.pair.0 = 0
    }
    #expect(!areSame(value, other))
  }

  /// What `==` and the order of text hold equal was changed all the same.
  @Test func whatEqualityLeavesOutCounts() {
    #expect(!areSame(Narrow(id: 1, text: "a"), Narrow(id: 1, text: "b")))
    #expect(!areSame([Narrow(id: 1, text: "a")] as Set, [Narrow(id: 1, text: "b")] as Set))
    #expect(!areSame("caf\u{E9}", "cafe\u{301}"))
    #expect(!areSame(0.0, -0.0))
  }

  @Test func objectsAreNotEntered() {
    let (a, b) = (Box(), Box())
    a.next.withLock { $0 = b }
    b.next.withLock { $0 = a }
    #expect(areSame(a, a) && !areSame(a, b))
    #expect(areSame((true, a), (true, a)) && !areSame((true, a), (true, b)))
    a.next.withLock { $0 = nil }
  }

  @Test func casesAreTold() {
    let text = String(repeating: "long", count: 10)
    #expect(areSame(Choice.named(text), Choice.named(text)))
    #expect(!areSame(Choice.named(text), Choice.named("b")))
    #expect(!areSame(Choice.none, Choice.other) && areSame(Choice.other, Choice.other))
    #expect(areSame([Choice.none, .other] as [Choice]?, nil) == false)
  }

  /// An existential may be as large as what is in it is not.
  @Test func valuesOfUnknownTypesAreSameIfAllBytesAre() {
    struct Holder {
      var flag = true
      var value: any Sendable
    }
    let holder = Holder(value: 1)
    #expect(PropertySameness.areSame(holder, holder))
    #expect(!PropertySameness.areSame(holder, Holder(value: 2)))
    #expect(!PropertySameness.areSame(holder, Holder(value: "1")))
  }
}
