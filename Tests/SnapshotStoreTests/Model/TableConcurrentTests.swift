import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Work on the runs of a table gives the result of a plain loop.
struct TableConcurrentTests {
  @Test func asAPlainLoop() {
    each([1, 2, 8], [0, 1, 31, 5_000]) { (threads: Int, count: Int) throws in
      let words = (0..<count).map { (number: Int) -> Word in Word(id: String(number * 7_919 % 10_007), count: number) }
      let table = try Table(words)
      let parts = table.mapConcurrently(threads: threads) { run in
        var counts: [Int] = []
        run.forEach { counts.append($0.count) }
        return counts
      }
      #expect(Array(parts.joined()) == table.map(\.count))
    }
  }

  @Test func byDefault() throws {
    let table = try Table((0..<3_000).map { Word(id: "\($0)", count: $0) })
    let sums = table.mapConcurrently { run in
      var sum = 0
      run.forEach { sum += $0.count }
      return sum
    }
    let expected = 3_000 * 2_999 / 2
    #expect(sums.reduce(0, +) == expected)
  }

  /// A run retains its records.
  @Test func aRunThatEscapes() throws {
    var table = try Table((0..<5_000).map { Word(id: "a word that needs memory of its own \($0)", count: $0) })
    let expected = table.ids
    let runs = table.mapConcurrently(threads: 4) { $0 }
    table = Table()
    table = try Table((0..<5_000).map { Word(id: "another word in the same memory \($0)") })
    var ids: [String] = []
    for run in runs { run.forEach { ids.append($0.id) } }
    #expect(ids == expected)
  }
}
