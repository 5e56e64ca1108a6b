import Foundation

/// A small random number generator (SplitMix64). A failing test shows its seed, which can be set again.
///
/// Set `SNAPSHOT_SEED` to repeat a run.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// The seeds of a randomised test: the one in the environment, or fixed ones.
  ///
  /// The full form of the proofs takes `count` of them, the quick form a quarter.
  package static func seeds(_ count: Int) -> [UInt64] {
    if let text = ProcessInfo.processInfo.environment["SNAPSHOT_SEED"], let seed = UInt64(text) { return [seed] }
    return (1...UInt64(Proofs.pick(full: count, quick: (count + 3) / 4))).map { $0 }
  }
}
