import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A link is nothing but its id in every format, for every type of id.
struct SoftLinkTests {
  struct Target<ID: Comparable & Hashable & Codable & Sendable>: Record { let id: ID }

  struct Holder<Link: Hashable & Codable & Sendable>: Record {
    let id: Int
    var one: Link
    var many: [Link]
    var maybe: Link?
  }

  struct Holders<Link: Hashable & Codable & Sendable>: Model {
    var holders = Table<Holder<Link>>()
    static var schema: Schema<Holders<Link>> {
      Schema("holders", version: 1, Field("holders", \.holders))
    }
  }

  struct Wrapped: Comparable, Hashable, Codable, Sendable {
    var date: Date
    var amount: Decimal
    static func < (a: Wrapped, b: Wrapped) -> Bool { (a.date, a.amount) < (b.date, b.amount) }
  }

  private static func file<Link: Hashable & Codable & Sendable>(_ links: [Link], _ format: FileFormat) throws -> [UInt8]
  {
    var holders = Holders<Link>()
    try holders.holders.insert(Holder(id: 1, one: links[0], many: links, maybe: nil))
    try holders.holders.insert(Holder(id: 2, one: links[0], many: [], maybe: links[0]))
    return try SnapshotFile.encode(holders, as: format)
  }

  private static func check<ID: Comparable & Hashable & Codable & Sendable>(_ ids: [ID], _ format: FileFormat) throws {
    let links = ids.map { SoftLink<Target<ID>>($0) }
    let bytes = try file(ids, format)
    #expect(try file(links, format) == bytes, "\(ID.self)")
    let back = try SnapshotFile.decode(Holders<SoftLink<Target<ID>>>.self, from: bytes)
    #expect(back.holders[1]?.many == links)
    #expect(back.holders[2]?.maybe == links[0])
  }

  @Test func everyKindOfID() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let dates = [0.5, 1e9 / 3, -63_114_076_801].map { Date(timeIntervalSinceReferenceDate: $0) }
      let amounts = try ["0.1", "-12345678901234567890.123456789"].map { try #require(Decimal(string: $0)) }
      try Self.check([1, -5, .max], format)
      try Self.check([UInt64.max, 0], format)
      try Self.check(["a", "", "\u{0}"], format)
      try Self.check([UUID(), UUID()], format)
      try Self.check(dates, format)
      try Self.check(amounts, format)
      try Self.check([0.30000000000000004, .infinity], format)
      try Self.check(zip(dates, amounts).map { Wrapped(date: $0, amount: $1) }, format)
    }
  }
}
