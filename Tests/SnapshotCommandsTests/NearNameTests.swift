import Testing

@testable import SnapshotCommands
@testable import TestSupport

/// The name that a user may have meant.
@Suite struct NearNameTests {
  @Test func theNearestNameIsFound() {
    #expect(NearName.of("titel", in: ["body", "title", "tile"]) == "title")
    #expect(NearName.of("TITLE", in: ["title"]) == "title" && NearName.of("title", in: ["ttle", "titles"]) == "ttle")
    #expect(NearName.of("x", in: ["y", "abc"]) == "y" && NearName.of("", in: ["ab"]) == nil)
    #expect(NearName.of("chekc", in: ["check"]) == "check" && NearName.of("chk", in: ["check", "rows"]) == nil)
    #expect(NearName.of("wait", in: ["edit", "wait-for-change"]) == "wait-for-change")
    #expect(NearName.of(String(repeating: "a", count: 101), in: [String(repeating: "a", count: 100)]) == nil)
  }

  /// The shortcuts change nothing: the same distances as the whole table of Levenshtein's algorithm.
  @Test(arguments: SeededGenerator.seeds(4)) func distancesAreExact(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func name() -> [Character] {
      (0..<Int.random(in: 0...7, using: &random)).map { _ in "abé".randomElement(using: &random) ?? "a" }
    }
    for _ in 0..<3_000 {
      let (a, b) = (name(), name())
      #expect(NearName.distance(a, b) == min(3, Self.levenshtein(a[...], b[...])), "\(String(a)) \(String(b))")
    }
  }

  private static func levenshtein(_ a: ArraySlice<Character>, _ b: ArraySlice<Character>) -> Int {
    guard let first = a.first, let other = b.first else { return a.count + b.count }
    let replaced = levenshtein(a.dropFirst(), b.dropFirst())
    if first == other { return replaced }
    return 1 + min(replaced, levenshtein(a.dropFirst(), b), levenshtein(a, b.dropFirst()))
  }

  @Test func longNamesMayBeginAlike() {
    let start = String(repeating: "p", count: 90)
    let names = (0..<500).map { "\(start)\($0 + 10_000)" }
    #expect(NearName.of(start + "9x9x9", in: names) == nil)
    #expect(NearName.of(start + "10x07", in: names) == start + "10007")
  }
}
