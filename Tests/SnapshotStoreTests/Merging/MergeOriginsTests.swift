import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The versions from which another program's value may have been made.
struct MergeOriginsTests {
  private func counters(_ ids: ClosedRange<Int>) throws -> Counters {
    var counters = Counters()
    for id in ids { try counters.set(id, to: id) }
    return counters
  }

  /// Another store may have merged theirs. What theirs has of one version proves nothing then.
  @Test func behindAMergeOnlyASingleVersionIsTheNewestForSure() throws {
    let first = try counters(1...3)
    var theirs = first
    try theirs.set(1, to: 7)
    var history = ValueHistory(SnapshotContent(first), date: .day(1))
    #expect(history.origins(of: SnapshotContent(theirs), isBehindMerge: true).isNewest)
    var second = first
    try second.set(2, to: 8)
    history.append(SnapshotContent(second), date: .day(1))
    let origins = history.origins(of: SnapshotContent(theirs), isBehindMerge: true)
    #expect(!origins.isNewest && !origins.isUnknown && origins.values.count == 2)
  }

  /// A record with properties of which some values can hardly be chosen by two programs.
  private struct Evidence: Record {
    let id: Int
    var number: UInt64 = 0
    var data = Data()
    var text = ""
    var flag = false
  }

  private struct Evidences: Model {
    var items = Table<Evidence>()
    static let schema = Schema<Evidences>("evidences", version: 1, Field("items", \.items))
  }

  /// Only a value of which another program would hardly think says what that program has read.
  @Test func onlyUnmistakableValuesTellTheVersion() {
    typealias Change = (inout Evidence) -> Void
    func plausible(_ old: @escaping Change, _ new: @escaping Change) throws -> [Int] {
      let versions = try [old, new].map { change in
        var (model, record) = (Evidences(), Evidence(id: 1))
        change(&record)
        try model.items.insert(record)
        return model
      }
      return OriginEvidence(theirs: versions[0], versions: versions).plausible
    }
    func bytes(_ count: Int, _ byte: UInt8) -> Change { { $0.data = Data(repeating: byte, count: count) } }
    let telling: [(Change, Change)] = [
      ({ $0.number = .max }, { $0.number = .max - 1 }), ({ $0.number = 1 << 20 }, { $0.number = 0 }),
      (bytes(8, 1), bytes(8, 2)), ({ $0.text = "eight by" }, { $0.text = "" }),
    ]
    each(telling.indices) { (index: Int) throws in #expect(try plausible(telling[index].0, telling[index].1) == [0]) }
    let others: [(Change, Change)] = [
      ({ $0.number = 1 << 20 - 1 }, { $0.number = 0 }), (bytes(7, 1), bytes(7, 2)), ({ $0.text = "seven b" }, { _ in }),
      ({ $0.flag = true }, { _ in }),
    ]
    each(others.indices) { (index: Int) throws in #expect(try plausible(others[index].0, others[index].1) == [0, 1]) }
  }

  /// A version counts for as long as the limit says, and not a moment less.
  @Test func aVersionIsForgottenWhenItIsOlderThanTheLimit() throws {
    var limits = ValueHistory<Counters>.Limits()
    limits.age = 60
    let start = Date.day(1)
    func versions(_ age: TimeInterval) throws -> Int {
      func content(_ count: Int) throws -> SnapshotContent<Counters> { SnapshotContent(try counters(1...count)) }
      var history = ValueHistory(try content(1), date: start, limits: limits)
      for count in 2...3 { history.append(try content(count), date: start) }
      history.append(try content(4), date: start.addingTimeInterval(age))
      return history.values.count
    }
    #expect(try versions(60) == 4)
    #expect(try versions(61) == 2)
  }

  @Test func whatIsUnknownIsNotTheNewest() throws {
    let history = try ValueHistory(SnapshotContent(counters(1...30)), date: .day(1))
    let origins = try history.origins(of: SnapshotContent(counters(31...60)))
    #expect(origins.isUnknown && !origins.isNewest)
    // Against an empty value each difference is a conflict.
    #expect(origins.values.first?.left.isEmpty == true)
  }
}
