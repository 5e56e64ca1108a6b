import Testing

@testable import TestSupport

/// The helpers with which tests check many inputs.
struct ProofsTests {
  @Test func aShareHasOneOfEveryGroup() {
    for seed in 1...20 as ClosedRange<UInt64> {
      let share = Proofs.quickShare(of: 100..<150, oneIn: 8, seed: seed)
      #expect(share.map { ($0 - 100) / 8 } == Array(0..<7))
    }
  }

  @Test func overSeedsAShareMissesNothing() {
    let shares = (1...100 as ClosedRange<UInt64>).map { Proofs.quickShare(of: 0..<64, oneIn: 8, seed: $0) }
    #expect(Set(shares.joined()) == Set(0..<64))
    #expect(shares[0] != shares[1])
  }

  @Test func theFullFormTakesAll() {
    #expect(Proofs.share(of: 0..<9, oneIn: 3).count == (Proofs.areFull ? 9 : 3))
  }
}
