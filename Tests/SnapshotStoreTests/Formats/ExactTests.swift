import Foundation
import Testing

@testable import TestSupport

/// The comparison that other tests rely on sees differences that `==` does not see.
@Suite struct ExactTests {
  @Test func differencesThatEqualityForgives() {
    #expect(Exact.lines(0.0) != Exact.lines(-0.0))
    #expect(Exact.lines(Float(0)) != Exact.lines(-Float(0)))
    #expect(Exact.lines("\u{E9}") != Exact.lines("e\u{301}"))
    #expect(Exact.lines(["\u{E9}": 1]) != Exact.lines(["e\u{301}": 1]))
    #expect(
      Exact.lines(Date(timeIntervalSinceReferenceDate: -0.0)) != Exact.lines(Date(timeIntervalSinceReferenceDate: 0)))
    #expect(Exact.lines([Double.nan]) == Exact.lines([Double.nan]))
    #expect(Exact.lines(Double.nan) != Exact.lines(-Double.nan))
  }

  @Test func differencesOfShape() {
    #expect(Exact.lines([1, 2]) != Exact.lines([2, 1]))
    #expect(Exact.lines(["a": 1, "b": 2]) == Exact.lines(["b": 2, "a": 1]))
    #expect(Exact.lines(["a": 1, "b": 2]) != Exact.lines(["a": 2, "b": 1]))
    #expect(Exact.lines(Set(["a", "b"])) != Exact.lines(Set(["a"])))
    #expect(Exact.lines([String?]([nil, "a"])) != Exact.lines([String?](["a", nil])))
    #expect(Exact.lines(Shape.nothing) != Exact.lines(Shape.circle(0)))
    #expect(Exact.lines(Color.red) != Exact.lines(Color.green))
    #expect(Exact.lines(Cat(legs: 4, name: "a")) != Exact.lines(Cat(legs: 3, name: "a")))
    #expect(Exact.lines(Cat(legs: 4, name: "a")) != Exact.lines(Cat(legs: 4, name: "b")))
  }

  @Test(arguments: SeededGenerator.seeds(3))
  func everyPropertyOfTheRecordCounts(seed: UInt64) {
    var (one, other) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed))
    #expect(Awkward(id: 1, random: &one) == Awkward(id: 1, random: &other))
    #expect(Awkward(id: 1, random: &one) != Awkward(id: 1, random: &one))
  }
}
