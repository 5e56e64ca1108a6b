import Foundation
import Testing

@testable import SnapshotStore

/// Nothing that a user or a file controls makes an operation take more than its share: at four times the size, each takes no
/// more than eight times as long. `SNAPSHOT_SCALING=1` prints the ratios.
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

  @Test(arguments: ScalingInputs.notes) func notes(_ test: Case) throws { try check(test) }
  @Test(arguments: ScalingInputs.parts) func partsOfNotes(_ test: Case) throws { try check(test) }
  @Test(arguments: ScalingInputs.texts) func texts(_ test: Case) throws { try check(test) }
  @Test(arguments: ScalingInputs.names) func names(_ test: Case) throws { try check(test) }
  @Test(arguments: ScalingInputs.files) func files(_ test: Case) throws { try check(test) }
  @Test(arguments: ScalingInputs.lines) func lines(_ test: Case) throws { try check(test) }
  @Test(arguments: ScalingInputs.unknownInStores) func unknownContent(_ test: Case) throws { try check(test) }
  @Test(arguments: ScalingInputs.values) func wholeValues(_ test: Case) throws { try check(test) }
  @Test(arguments: ScalingInputs.stores) func stores(_ test: Case) throws { try check(test) }

  /// The meter knows the square when it sees it.
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

  private func check(_ test: Case) throws {
    let ratio = try ScalingMeter.ratio(test.size, test.prepare)
    if ProcessInfo.processInfo.environment["SNAPSHOT_SCALING"] != nil {
      print("scaling: \(test.name): \((ratio * 10).rounded() / 10)")
    }
    #expect(ratio <= ScalingMeter.limit, "\(test.name): four times the input takes \(ratio) times as long")
  }
}
