import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// No input of a user or a file makes an operation take more than its share of time. At four times the size, each takes
/// at most eight times as long. `SNAPSHOT_SCALING=1` prints the ratios.
struct ScalingTests {
  /// An operation with an input that grows along one dimension.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let size: Int
    let prepare: @Sendable (Int) throws -> ScalingMeter.Operation
    var testDescription: String { name }

    init(_ name: String, _ size: Int, _ prepare: @escaping @Sendable (Int) throws -> ScalingMeter.Operation) {
      self.name = name
      self.size = size
      self.prepare = prepare
    }
  }

  @Test func notes() {
    each(Proofs.share(of: ScalingInputs.notes, oneIn: 3)) { (test: Case) throws in try check(test, isSmall: true) }
  }
  @Test func partsOfNotes() {
    each(Proofs.share(of: ScalingInputs.parts, oneIn: 3)) { (test: Case) throws in try check(test) }
  }
  @Test func texts() {
    each(Proofs.share(of: ScalingInputs.texts, oneIn: 3)) { (test: Case) throws in try check(test) }
  }
  @Test func names() {
    each(Proofs.share(of: ScalingInputs.names, oneIn: 3)) { (test: Case) throws in try check(test) }
  }
  @Test func files() {
    each(ScalingInputs.files) { (test: Case) throws in try check(test) }
  }
  @Test func lines() {
    each(ScalingInputs.lines) { (test: Case) throws in try check(test) }
  }
  @Test func unknownContent() {
    each(Proofs.share(of: ScalingInputs.unknownInStores, oneIn: 3)) { (test: Case) throws in
      try check(test, isSmall: true)
    }
  }
  @Test func wholeValues() {
    each(Proofs.share(of: ScalingInputs.values, oneIn: 3)) { (test: Case) throws in try check(test) }
  }
  @Test func journals() {
    each(Proofs.share(of: ScalingInputs.journals, oneIn: 2)) { (test: Case) throws in try check(test) }
  }
  @Test func stores() {
    each(ScalingInputs.stores) { (test: Case) throws in try check(test) }
  }

  /// The meter recognises quadratic time.
  @Test func theMeterItself() throws {
    let square = try ScalingMeter.ratio(50) { size in
      let elements = Array(0..<size)
      return { for element in elements { _ = elements.last { $0 < -element } } }
    }
    #expect(square > ScalingMeter.limit)
    let linear = try ScalingMeter.ratio(2_000) { size in
      let elements = Array(0..<size)
      return { _ = elements.last { $0 < 0 } }
    }
    #expect(linear <= ScalingMeter.limit)
  }

  /// - Parameter isSmall: whether the quick form takes an eighth of a large size. Some tests take seconds at the full
  ///   one. Others need it: short names of combining characters take the square of their length, up to a limit.
  private func check(_ test: Case, isSmall: Bool = false) throws {
    let isFull = Proofs.areFull || !isSmall
    let size = isFull ? test.size : max(min(50, test.size), test.size / 8)
    let ratio = try ScalingMeter.ratio(size, test.prepare)
    if ProcessInfo.processInfo.environment["SNAPSHOT_SCALING"] != nil {
      print("scaling: \(test.name): \((ratio * 10).rounded() / 10)")
    }
    #expect(ratio <= ScalingMeter.limit, "\(test.name): four times the input takes \(ratio) times as long")
  }
}
