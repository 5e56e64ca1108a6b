import Foundation
import Testing

@testable import SnapshotStore

/// What stands beside a model's tables is compared by its stored properties, whatever lies between them in memory.
struct PropertySamenessTests {
  private struct Padded {
    var flag: UInt8
    var number: Int
    var choice: Int?
    var nested: [Inner] = []

    struct Inner {
      var name: String
      var size: Double
    }
  }

  /// Its `==` leaves a property out.
  private struct Narrow: Equatable {
    var id: Int
    var text: String

    static func == (a: Narrow, b: Narrow) -> Bool { a.id == b.id }
  }

  private final class Box: Equatable, Sendable {
    static func == (a: Box, b: Box) -> Bool { true }
  }

  private enum Choice {
    case none
    case named(String)
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

  @Test func whatLiesBetweenPropertiesDoesNotCount() {
    let value = Padded(flag: 1, number: 2, choice: nil, nested: [.init(name: "a name that is not small", size: .nan)])
    inSoiledMemory(value, 0x00) { a in
      inSoiledMemory(value, 0xff) { b in
        #expect(PropertySameness.areSame(a.pointee, b.pointee))
      }
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4]) func eachPropertyCounts(_ index: Int) {
    let value = Padded(flag: 1, number: 2, choice: nil, nested: [.init(name: "a", size: 1)])
    var other = value
    other.nested = [.init(name: "a", size: 1)]
    #expect(PropertySameness.areSame(value, other))
    switch index {
    case 0: other.flag = 2
    case 1: other.number = 3
    case 2: other.choice = 0
    case 3: other.nested[0].size = 2
    default: other.nested.append(.init(name: "b", size: 1))
    }
    #expect(!PropertySameness.areSame(value, other))
  }

  @Test func whatEqualityLeavesOutCounts() {
    #expect(!PropertySameness.areSame(Narrow(id: 1, text: "a"), Narrow(id: 1, text: "b")))
    #expect(PropertySameness.areSame([Narrow(id: 1, text: "a")], [Narrow(id: 1, text: "a")]))
  }

  @Test func anObjectIsItself() {
    let box = Box()
    #expect(PropertySameness.areSame(box, box) && !PropertySameness.areSame(box, Box()))
  }

  @Test func collectionsAndFoundationsTypesAreComparedAsTheyCompare() {
    let text = String(repeating: "long", count: 10)
    #expect(PropertySameness.areSame(Data(text.utf8), Data(text.utf8)))
    #expect(!PropertySameness.areSame(Data(text.utf8), Data((text + "er").utf8)))
    let names = (0..<40).map { "\($0)" }
    #expect(PropertySameness.areSame(Set(names), Set(names.reversed())))
    #expect(!PropertySameness.areSame(Set(names), Set(names.dropLast())))
    #expect(PropertySameness.areSame(Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 1)))
    #expect(!PropertySameness.areSame(Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)))
    #expect(!PropertySameness.areSame(1, 1.0))
  }

  @Test func casesAreTold() {
    let text = String(repeating: "long", count: 10)
    #expect(PropertySameness.areSame(Choice.named(text), Choice.named(text + "")))
    #expect(!PropertySameness.areSame(Choice.named(text), Choice.named("b")))
    #expect(!PropertySameness.areSame(Choice.none, Choice.named("b")))
  }
}
