import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// State beside a model's tables is compared by its stored properties, whatever lies between them in memory.
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

  /// An object; two of them may form a cycle.
  private final class Box: Equatable, Sendable {
    let next = Mutex<Box?>(nil)

    static func == (a: Box, b: Box) -> Bool { true }
  }

  /// Its `==` ignores a property.
  private struct Narrow: Hashable {
    var id: Int
    var text: String

    static func == (a: Narrow, b: Narrow) -> Bool { a.id == b.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  /// A copy of the value in memory that had other bytes before, in the places that the value does not set.
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

  @Test func eachPropertyCounts() {
    each(0..<16) { (index: Int) in
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
  }

  /// Changes that `==` and the order of text ignore are changes all the same.
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

  private struct Holder {
    var flag = true
    var value: any Sendable
    var optional: (any Sendable)?
  }

  /// A value in an existential leaves the rest of its buffer as it was.
  @Test func whatIsInAnExistentialCounts() {
    #expect(areSame(Holder(value: 1), Holder(value: 1)))
    #expect(!areSame(Holder(value: 1), Holder(value: 2)) && !areSame(Holder(value: 1), Holder(value: "1")))
    #expect(areSame(Holder(value: 1, optional: 2), Holder(value: 1, optional: 2)))
    #expect(!areSame(Holder(value: 1, optional: 2), Holder(value: 1, optional: 3)))
    // Too large for the buffer: in a box of its own.
    let choices = [Choice.inner(Inner(flag: 1, size: .nan, last: true)), .inner(Inner(flag: 1, size: 0, last: true))]
    #expect(areSame(Holder(value: choices[0]), Holder(value: choices[0])))
    #expect(!areSame(Holder(value: choices[0]), Holder(value: choices[1])))
    let box = Box()
    #expect(areSame(Holder(value: box), Holder(value: box)) && !areSame(Holder(value: box), Holder(value: Box())))
    // A cast converts one to the other.
    #expect(!areSame(Holder(value: 0, optional: [Int]()), Holder(value: 0, optional: [String]())))
    #expect(!areSame(Holder(value: Int?.none), Holder(value: String?.none)))
  }

  @Test func optionalsOfOptionalsAreTold() {
    let values: [(Bool, Int??)] = [(true, nil), (true, .some(nil)), (true, 0)]
    for (index, value) in values.enumerated() {
      for (other, second) in values.enumerated() { #expect(areSame(value, second) == (index == other)) }
    }
  }

  @Test func weakReferencesAreOfOneObject() {
    struct Observer {
      var flag = true
      weak var box: Box?
    }
    let (box, other) = (Box(), Box())
    withExtendedLifetime((box, other)) {
      #expect(areSame(Observer(box: box), Observer(box: box)))
      #expect(!areSame(Observer(box: box), Observer(box: nil)) && !areSame(Observer(box: box), Observer(box: other)))
    }
  }

  private enum Overloaded {
    case at(x: Int)
    case at(y: Int)
  }

  private enum Silent: TextOutputStreamable {
    case one, other
    func write(to target: inout some TextOutputStream) {}
  }

  /// It presents itself as an optional without a value.
  private struct Hidden: CustomReflectable {
    var number: Int
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .optional) }
  }

  /// The descriptions, names and mirrors of these are all equal.
  @Test func whatATypeSaysOfItselfDoesNotCount() {
    #expect(!areSame(Overloaded.at(x: 1), Overloaded.at(y: 1)) && areSame(Overloaded.at(x: 1), Overloaded.at(x: 1)))
    #expect(!areSame(Silent.one, Silent.other))
    #expect(!areSame(Hidden(number: 1), Hidden(number: 2)))
  }
}
