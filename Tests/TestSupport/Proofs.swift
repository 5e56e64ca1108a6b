import Foundation

/// The share of an exhaustive proof that a run takes.
///
/// `swift test` takes a share that a seed chooses. `SNAPSHOT_PROOFS=full` takes all of it, as `Scripts/proofs` does.
/// `SNAPSHOT_PROOFS=exhaustive` adds cases that take minutes, as `Scripts/torture` does. `SNAPSHOT_SEED` chooses
/// another share.
package enum Proofs: String {
  case quick, full, exhaustive

  /// The only place that reads the variable.
  package static let extent: Proofs = {
    guard let name = ProcessInfo.processInfo.environment["SNAPSHOT_PROOFS"] else { return .quick }
    guard let extent = Proofs(rawValue: name) else {
      fatalError("SNAPSHOT_PROOFS is “\(name)”: use “quick”, “full” or “exhaustive”")
    }
    return extent
  }()

  package static var areFull: Bool { extent != .quick }

  /// One of two sizes or counts.
  package static func pick<Value>(full: Value, quick: Value) -> Value { areFull ? full : quick }

  /// All cases in the full form. In the quick form, one case that the seed chooses of every `count` neighbours.
  ///
  /// The stride varies, so that a share of bits or bytes does not always hit the same bit.
  package static func share<Cases: RandomAccessCollection>(of all: Cases, oneIn count: Int) -> [Cases.Element] {
    areFull ? Array(all) : quickShare(of: all, oneIn: count, seed: SeededGenerator.seeds(1)[0])
  }

  /// Whether the case of this name is tested: always in the full form, one of about `count` names in the quick one.
  package static func includes(_ name: String, oneIn count: UInt64) -> Bool {
    areFull || name.utf8.reduce(SeededGenerator.seeds(1)[0]) { $0 &* 31 &+ UInt64($1) } % count == 0
  }

  package static func quickShare<Cases: RandomAccessCollection>(
    of all: Cases, oneIn count: Int, seed: UInt64
  ) -> [Cases.Element] {
    var generator = SeededGenerator(seed: seed)
    return stride(from: 0, to: all.count, by: count).map { start in
      let offset = Int.random(in: start..<min(start + count, all.count), using: &generator)
      return all[all.index(all.startIndex, offsetBy: offset)]
    }
  }
}
