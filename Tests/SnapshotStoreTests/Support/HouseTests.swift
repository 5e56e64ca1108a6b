import Testing

/// What the documents claim of the sources, read from the sources.
@Suite struct HouseTests {
  /// All of the sources are read, or nothing is found.
  @Test func theSourcesAreRead() {
    #expect(Set(Repository.sources.map(\.module)).count == 5)
    #expect(Repository.sources.count > 300)
    #expect(Repository.sources.allSatisfy { !$0.code.isEmpty })
  }

  /// A release build drops the message of a precondition. A mistake of the program needs it there most: use
  /// `fatalError`.
  @Test func noTrapLosesItsMessage() {
    #expect(Self.trapsThatLoseTheirMessage(in: #"precondition(a(b) == c, "text")"#) == ["precondition"])
    #expect(Self.trapsThatLoseTheirMessage(in: #"precondition(a == "b")"#) == [])
    for source in Repository.sources {
      #expect(Self.trapsThatLoseTheirMessage(inCode: source.code) == [], "\(source.path)")
    }
  }

  private static func trapsThatLoseTheirMessage(in text: String) -> [String] {
    trapsThatLoseTheirMessage(inCode: SwiftWords.code(of: text))
  }

  private static func trapsThatLoseTheirMessage(inCode code: String) -> [String] {
    code.matches(of: #/\b(precondition|preconditionFailure)\(((?:[^()]|\([^()]*\))*,)?\s*""/#).map {
      String($0.output.1)
    }
  }
}
