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

  @Test func whatIsUnknownIsNotTheNewest() throws {
    let history = try ValueHistory(SnapshotContent(counters(1...30)), date: .day(1))
    let origins = try history.origins(of: SnapshotContent(counters(31...60)))
    #expect(origins.isUnknown && !origins.isNewest)
    // Against an empty value each difference is a conflict.
    #expect(origins.values.first?.left.isEmpty == true)
  }
}
