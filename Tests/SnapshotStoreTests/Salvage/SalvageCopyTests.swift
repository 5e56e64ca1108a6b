import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Copies of one record in a file: the unknown content of each is kept, or listed as lost.
@Suite struct SalvageCopyTests {
  struct Entry: Record {
    let id: Int
    var text = ""
  }

  struct Diary: Model {
    var entries = Table<Entry>()
    static let schema = Schema<Diary>("diary", version: 1, Field("entries", \.entries))
  }

  struct Account: Record {
    let id: Int
    var mail: String
    static let indexes = Indexes(Index("mail", unique: true, key: \Account.mail))
  }

  struct Register: Model {
    var accounts = Table<Account>()
    static let schema = Schema<Register>("register", version: 1, Field("accounts", \.accounts))
  }

  private func salvage(_ records: [Item], _ format: FileFormat) throws -> Salvaged<Diary> {
    let salvaged = try Salvaged<Diary>(of: Crafted.document(["entries": records], as: format, schema: "diary"))
    #expect(salvaged.value.allViolations() == [])
    return salvaged
  }

  /// The members of the record that the schema does not know, in their written form.
  private func extra(_ salvaged: Salvaged<Diary>) -> Item {
    Item(.dictionary(salvaged.content.unknown.members(in: "entries", of: Entry.self)[1] ?? []))
  }

  @Test func whatOnlyOneCopyHasIsKept() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let plain: Item = ["id": 1, "text": "a"]
      let (rated, linked) = (plain.changing(["rating": 5]), plain.changing(["link": "x"]))
      for (copies, expected): ([Item], Item) in [
        ([plain, rated], ["rating": 5]), ([rated, plain], ["rating": 5]),
        ([rated, linked], ["link": "x", "rating": 5]), ([linked, plain, rated, linked], ["link": "x", "rating": 5]),
      ] {
        let salvaged = try salvage(copies + [["id": 2, "text": "b"]], format)
        #expect(salvaged.value.entries.map(\.text) == ["a", "b"])
        #expect(Item.areSame(extra(salvaged), expected), "\(copies)")
        #expect(!salvaged.losses.contains { $0.kind == .record }, "\(salvaged.losses)")
      }
    }
  }

  @Test func aKeyWithTwoValuesIsALoss() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let first: Item = ["id": 1, "text": "a", "rating": 5]
      let second: Item = ["id": 1, "text": "a", "rating": 1, "link": "second"]
      let salvaged = try salvage([first, second], format)
      #expect(Item.areSame(extra(salvaged), ["rating": 5]))
      let loss = try #require(salvaged.losses.first { $0.kind == .record }, "\(salvaged.losses)")
      #expect(loss.code == .duplicate && loss.index == 1 && loss.excerpt.contains("second"))
    }
  }

  /// A record that a unique index refuses is lost with all its content. A later record with its id takes its place.
  @Test func aRecordThatAnIndexRefuses() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let records: [Item] = [["id": 1, "mail": "a"], ["id": 2, "mail": "a", "rank": 7], ["id": 2, "mail": "b"]]
      let salvaged = try Salvaged<Register>(of: Crafted.document(["accounts": records], as: format, schema: "register"))
      #expect(salvaged.value.accounts.map(\.mail) == ["a", "b"])
      #expect(salvaged.content.unknownKeys == [])
      let lost = salvaged.losses.filter { $0.kind == .record }
      #expect(lost.map(\.index) == [1] && lost.first?.excerpt.contains("rank") == true, "\(salvaged.losses)")
      #expect(salvaged.value.allViolations() == [])
    }
  }

  /// A record that a unique index refuses is missing, so it is filled. A second one of an id is not.
  @Test func onlyWhatIsMissingIsFilled() throws {
    func fills(_ records: [Item]) throws -> Bool {
      try Salvaged<Register>(of: Crafted.document(["accounts": records], as: .json, schema: "register")).hasLosses
    }
    #expect(try fills([["id": 1, "mail": "a"], ["id": 2, "mail": "a"]]))
    #expect(try !fills([["id": 1, "mail": "a"], ["id": 1, "mail": "b"]]))
  }
}
