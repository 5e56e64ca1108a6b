import Foundation

@testable import SnapshotStore

extension Library.V1 {
  /// Some books, ordinary and odd, the same for the same seed.
  static func random(seed: UInt64, count: Int? = nil) throws -> Library.V1 {
    var random = SeededGenerator(seed: seed)
    var library = Library.V1()
    for _ in 0..<(count ?? Int.random(in: 0...60, using: &random)) {
      try library.books.upsert(Book.random(&random))
    }
    return library
  }
}

extension Library.V1.Book {
  private static let words = [
    "Été", "à", "Paris", "$null", "$$null", "a\0b", "<b>&", "NaN", "Infinity", "日本語", "👩‍👩‍👧", "2014-06-12T05:07:04Z",
    "\u{2028}",
    "\"", "12", "", "  ", "aGk=",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      .joined(separator: " ")
  }

  static func random(_ random: inout SeededGenerator) -> Self {
    func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
    let seconds = [0, -0.0, 0.5, 425_000_000.25, -63_114_076_800, 1e300, .nan, .infinity]
    return Self(
      id: [Int64.random(in: .min ... .max, using: &random), Int64.random(in: 0...99, using: &random)][
        Int.random(in: 0...1, using: &random)],
      title: text(&random), author: text(&random),
      pages: Bool.random(using: &random) ? "\(Int.random(in: -5...2000, using: &random))" : text(&random),
      shelf: maybe(Double.random(in: -1...1, using: &random)), borrower: maybe(text(&random)),
      added: Int.random(in: 1...9999, using: &random),
      cover: Data((0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }),
      bought: Date(timeIntervalSinceReferenceDate: seconds.randomElement(using: &random) ?? 0))
  }
}
