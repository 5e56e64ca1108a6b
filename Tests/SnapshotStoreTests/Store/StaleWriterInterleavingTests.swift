import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Every order in which a store saves, and others read and write its file: nothing that was acknowledged is lost.
///
/// `SNAPSHOT_PROOFS=exhaustive` takes all of them, as `Scripts/torture` does. Otherwise it is one of 17, another one in
/// each case.
@Suite(.timeLimit(.minutes(30)))
struct StaleWriterInterleavingTests {
  enum Step: Equatable {
    case save, read(Int), write(Int)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let policy: ExternalChange.Policy
    let hasLongMarks: Bool
    var testDescription: String { "\(policy), \(hasLongMarks ? "long" : "short") marks" }
  }

  static let cases = [ExternalChange.Policy.fail, .reload, .keepOurs, .merge].flatMap { policy in
    [true, false].map { Case(policy: policy, hasLongMarks: $0) }
  }

  /// Every order of the steps of all parties; each party keeps its own order.
  static func interleavings(_ parties: [[Step]]) -> [[Step]] {
    if parties.allSatisfy(\.isEmpty) { return [[]] }
    return parties.indices.flatMap { index -> [[Step]] in
      guard let first = parties[index].first else { return [] }
      var rest = parties
      rest[index].removeFirst()
      return interleavings(rest).map { [first] + $0 }
    }
  }

  /// Every choice of this number of edits.
  static func choices(_ count: Int, of edits: [PageEdit]) -> [[PageEdit]] {
    (0..<count).reduce([[]]) { all, _ in all.flatMap { some in edits.map { some + [$0] } } }
  }

  static let stride = Proofs.extent == .exhaustive ? 1 : 17

  /// A sample of the elements that begins with the number of the case.
  static func sample<Element>(_ all: [Element], _ one: Case) -> [Element] {
    let first = (cases.firstIndex { $0.testDescription == one.testDescription } ?? 0) % stride
    return Swift.stride(from: first, to: all.count, by: stride).map { all[$0] }
  }

  static func run(_ steps: [Step], saves: [PageEdit], writes: [PageEdit], looks: Bool, _ one: Case) async throws {
    var world = try StaleWriterWorld(one.policy, hasLongMarks: one.hasLongMarks)
    var (saves, left) = (saves[...], writes[...])
    for step in steps {
      switch step {
      case .save: try world.save(saves.removeFirst())
      case .read(let writer): try world.read(writer)
      case .write(let writer): try world.write(writer, left.removeFirst())
      }
      if looks { await world.look() }
    }
    let story: Comment = "\(steps) \(saves) \(writes) looks: \(looks)"
    #expect(try world.lost() == [], story)
    await world.look()
    #expect(try world.lost() == [], story)
    try? await world.store.close()
    #expect(try world.lost() == [], story)
    #expect(world.store.snapshot().value.allViolations() == [])
  }

  @Test func oneWriter() async {
    await each(Self.cases) { (one: Case) async throws in
      let all = Self.interleavings([[.save, .save], [.read(1), .write(1)]]).flatMap { steps in
        Self.choices(2, of: [.firstText, .secondText, .removeSecond]).flatMap { saves in
          Self.choices(1, of: [.firstText, .firstNote, .removeSecond, .insert]).map { (steps, saves, $0) }
        }
      }
      for (steps, saves, writes) in Self.sample(all, one) {
        try await Self.run(steps, saves: saves, writes: writes, looks: false, one)
      }
    }
  }

  @Test func oneWriterTwice() async {
    await each(Self.cases) { (one: Case) async throws in
      let all = Self.interleavings([[.save, .save], [.read(1), .write(1), .write(1)]]).flatMap { steps in
        Self.choices(2, of: [.firstText, .removeSecond]).map { (steps, $0) }
      }
      for (steps, writes) in Self.sample(all, one) {
        try await Self.run(steps, saves: [.firstText, .secondText], writes: writes, looks: true, one)
      }
    }
  }

  @Test func twoWriters() async {
    await each(Self.cases) { (one: Case) async throws in
      let all = Self.interleavings([[.save, .save], [.read(1), .write(1)], [.read(2), .write(2)]]).flatMap { steps in
        [[PageEdit.firstText, .secondText], [.firstNote, .removeSecond], [.insert, .firstText]].map { (steps, $0) }
      }
      for (steps, writes) in Self.sample(all, one) {
        try await Self.run(steps, saves: [.secondText, .firstText], writes: writes, looks: true, one)
      }
    }
  }
}
