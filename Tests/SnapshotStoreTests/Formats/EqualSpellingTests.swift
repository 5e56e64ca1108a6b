import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Types that Swift keys by `==` hold only one of two spellings: a file with both is refused.
@Suite struct EqualSpellingTests {
  // MARK: Dictionaries, which Swift keys by `==`

  @Test func aDictionaryCannotHoldBoth() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let both: Item = ["caf\u{E9}": 1, "cafe\u{301}": 2]
      let key = "“caf\\u{E9}” and “cafe\\u{301}” are equal in Swift, so no dictionary holds both"
      for (name, value) in [("prices", both), ("wrapped", both), ("deep", ["x": both] as Item)] {
        let bytes = Spellings.file(format, [Spellings.record(1).changing([name: value])])
        let error = #expect(throws: SnapshotError.self) { try Spellings.content(bytes) }
        #expect(error?.code == .duplicate && error?.message == "the keys \(key)", "\(name): \(error?.message ?? "")")
        #expect(error?.dataPath?.hasPrefix("\(Spellings.composed)[0].\(name)") == true)
        let salvaged = try Salvaged<Spellings.Menu>(of: bytes)
        #expect(salvaged.losses.first?.code == .duplicate)
      }
      let one = Spellings.file(
        format, [Spellings.record(1).changing(["prices": ["caf\u{E9}": 1, "x": 2], "wrapped": ["y": 3]])])
      let dish = try #require(try Spellings.content(one).value.dishes[1])
      #expect(dish.prices == ["caf\u{E9}": 1, "x": 2] && dish.wrapped?.values == ["y": 3])
    }
  }

  // MARK: Ids, which are equal by `==`

  @Test func oneIDInTwoSpellings() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let drinks: [Item] = [
        ["id": "caf\u{E9}", "size": 1], ["id": "tea", "size": 2], ["id": "cafe\u{301}", "size": 3],
      ]
      let bytes = Crafted.document([Spellings.composed: [], "drinks": drinks], as: format, schema: "menu")
      let error = #expect(throws: SnapshotError.self) { try Spellings.content(bytes) }
      #expect(error?.code == .duplicate && error?.dataPath == "drinks[2]")
      #expect(
        error?.message
          == "two records of type Drink have ids that are equal in Swift: “caf\\u{E9}” and “cafe\\u{301}”")
      let salvaged = try Salvaged<Spellings.Menu>(of: bytes)
      #expect(salvaged.value.drinks.map(\.size) == [1, 2])
      #expect(salvaged.lossCount == 1 && salvaged.losses.first?.reason == error?.message)
      #expect(salvaged.losses.first?.excerpt.contains("3") == true)
      #expect(salvaged.value.allViolations() == [])
    }
  }

  @Test func theSpellingOfAnIDIsKept() throws {
    let test = StoreUnderTest()
    test.bytes = Crafted.document(["drinks": [["id": "cafe\u{301}", "size": 1]]], as: .json, schema: "menu")
    let store = try test.open(Spellings.Menu.self, .manual)
    #expect(store.read { $0.drinks["caf\u{E9}"]?.size } == 1)
    try store.write { try $0.drinks.update("caf\u{E9}") { $0.size = 2 } }
    try store.flushAndWait()
    #expect(String(decoding: test.bytes ?? [], as: UTF8.self).utf8.contains("cafe\u{301}".utf8))
    #expect(throws: SnapshotError.self) {
      try store.write { try $0.drinks.insert(Spellings.Drink(id: "caf\u{E9}", size: 3)) }
    }
    try store.write { try $0.drinks.upsert(Spellings.Drink(id: "caf\u{E9}", size: 3)) }
    try store.closeAndWait()
    #expect(String(decoding: test.bytes ?? [], as: UTF8.self).utf8.contains("caf\u{E9}".utf8))
    #expect(try test.stored(Spellings.Menu.self).drinks.count == 1)
    #expect(try test.stored(Spellings.Menu.self).allViolations() == [])
  }
}
