import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Every way in keeps every promise of the model.
struct GateTests {
  @Test(arguments: WayIn.all) func derivedValues(_ way: WayIn) async throws {
    let result = try await way.run {
      try $0.setPrice(1, 10, at: 5)
    } _: {
      try $0.setPrice(2, 11, at: 5)
    }
    #expect(!result.isRefused && result.book.orders[1]?.total == 21)
    #expect(result.book.problems() == [])
    #expect(result.conflicts == [])
  }

  @Test(arguments: WayIn.all) func aDerivedSingleValue(_ way: WayIn) async throws {
    let result = try await way.run {
      try $0.add(3, to: 1, price: 3)
    } _: {
      try $0.add(4, to: 1, price: 4)
    }
    #expect(!result.isRefused && result.book.counts.items == 4 && result.book.orders[1]?.total == 10)
    #expect(result.book.problems() == [])
    #expect(result.conflicts == [])
  }

  @Test(arguments: WayIn.all) func validations(_ way: WayIn) async throws {
    let result = try await way.run {
      try $0.setPrice(1, -5, at: 5)
    } _: {
      try $0.setPrice(2, 11, at: 5)
    }
    #expect(result.isRefused && result.book.items[1]?.price == 1)
    #expect(result.book.problems() == [])
  }

  /// Each change alone is right.
  @Test(arguments: WayIn.all) func validationsOfBothTogether(_ way: WayIn) async throws {
    let result = try await way.run {
      try $0.add(3, to: 1, price: 40)
    } _: {
      try $0.add(4, to: 1, price: 40)
    }
    #expect(result.isRefused)
    #expect(result.book.problems() == [])
  }

  @Test(arguments: WayIn.all) func references(_ way: WayIn) async throws {
    let result = try await way.run {
      try $0.add(3, to: 3, price: 3)
    } _: {
      _ = $0.orders.remove(3)
    }
    // Orders have no tombstones, so without a base the other copy brings the order back.
    #expect(result.isRefused != way.hasNoBase)
    #expect(result.book.problems() == [])
  }

  @Test(arguments: WayIn.all) func uniqueKeys(_ way: WayIn) async throws {
    let result = try await way.run {
      try $0.add(6, to: 2, price: 7, sku: "x")
    } _: {
      try $0.add(5, to: 1, price: 3, sku: "x")
    }
    #expect(result.book.items.count { $0.sku == "x" } == 1)
    #expect(result.book.problems() == [])
    // A record that does not fit was not removed by anyone.
    #expect(way.isUndo || result.book.deletedItems.isEmpty)
  }

  @Test(arguments: WayIn.all) func tombstones(_ way: WayIn) async throws {
    if way.onlyPuts { return }
    let result = try await way.run {
      _ = $0.items.remove(1)
    } _: {
      try $0.setPrice(2, 11, at: 5)
    }
    #expect(!result.isRefused && result.book.items.ids == [2] && result.book.deletedItems.ids == [1])
    #expect(result.book.problems() == [])
  }

  @Test(arguments: WayIn.all) func whatComesBackHasNoTombstone(_ way: WayIn) async throws {
    if way.onlyPuts { return }
    let result = try await way.run {
      $0.items.remove(1)
      try $0.add(1, to: 2, price: 5)
    } _: {
      try $0.setPrice(2, 11, at: 5)
    }
    #expect(!result.isRefused && result.book.deletedItems.isEmpty)
    // Both versions have one date, so without a base ours is taken.
    #expect(result.book.items[1]?.order == (way.hasNoBase ? 1 : 2))
    #expect(result.book.problems() == [])
  }

  /// Nobody changes what a rule computes.
  @Test(arguments: WayIn.all) func aWrittenTotal(_ way: WayIn) async throws {
    if way.onlyPuts { return }
    let result = try await way.run {
      try $0.orders.update(1) { $0.total = 45 }
      try $0.orders.update(2) { $0.note = "late" }
    } _: {
      try $0.setPrice(2, 11, at: 5)
    }
    #expect(result.book.orders[1]?.total == 12)
    #expect(result.book.problems() == [])
    // Orders have no dates. So without a base, nothing tells which of two notes is the newer one.
    #expect((result.book.orders[2]?.note == "late") != way.hasNoBase)
    #expect(result.conflicts.flatMap(\.properties) == (way.hasNoBase ? ["note"] : []))
  }

  // MARK: Relations

  @Test(arguments: WayIn.all) func aCascade(_ way: WayIn) async throws {
    if way.onlyPuts { return }
    let result = try await way.run {
      _ = $0.items.remove(1)
    } _: {
      try $0.setPrice(2, 11, at: 5)
    }
    #expect(!result.isRefused && result.book.items.ids == [2] && result.book.remarks.ids == [2])
    #expect(result.book.problems() == [])
  }

  /// A merge loses no change: the item comes back. Where the change is no merge, it is refused.
  @Test(arguments: WayIn.all) func aNewReferenceToWhatIsRemoved(_ way: WayIn) async throws {
    if way.onlyPuts { return }
    let result = try await way.run {
      try $0.remarks.insert(OrderBook.Remark(id: 7, item: 1))
    } _: {
      _ = $0.items.remove(1)
    }
    let isThere = result.book.remarks.contains(7)
    #expect(result.isRefused != isThere)
    #expect(result.book.items.contains(1) == isThere && result.book.deletedItems.contains(1) != isThere)
    #expect(result.book.problems() == [])
  }

  @Test(arguments: WayIn.all) func aClearedReference(_ way: WayIn) async throws {
    if way.onlyPuts { return }
    let result = try await way.run {
      $0.labels.remove("late")
    } _: {
      try $0.setPrice(2, 11, at: 5)
    }
    let order = result.book.orders[3]
    #expect(!result.isRefused && order != nil && result.book.problems() == [])
    // Labels have no tombstones, so without a base the other copy brings the label back.
    if way.hasNoBase { return }
    #expect(order?.label == nil && !result.book.labels.contains("late"))
  }

  @Test(arguments: WayIn.all) func aReferenceToARemovedLabel(_ way: WayIn) async throws {
    if way.onlyPuts { return }
    let result = try await way.run {
      try $0.orders.update(2) { $0.label = "gift" }
    } _: {
      $0.labels.remove("gift")
    }
    #expect(result.book.problems() == [])
    if way.hasNoBase { return }
    #expect(result.book.orders[2]?.label == nil && !result.book.labels.contains("gift"))
  }

  // MARK: What else a way in keeps

  @Test(arguments: WayIn.all) func theOrigin(_ way: WayIn) async throws {
    let result = try await way.run {
      try $0.setPrice(1, 10, at: 5)
    } _: {
      try $0.setPrice(2, 11, at: 5)
    }
    #expect(result.origins.last == way.origin)
  }

  /// Whatever can be undone leaves a value that keeps all promises.
  @Test(arguments: WayIn.all) func anUndoOfEverything(_ way: WayIn) async throws {
    let result = try await way.run {
      try $0.add(3, to: 2, price: 3)
      try $0.remarks.insert(OrderBook.Remark(id: 7, item: 3))
    } _: {
      try $0.setPrice(2, 11, at: 5)
    }
    guard let undone = result.undone else { return }
    #expect(undone.problems() == [])
    #expect(!undone.items.contains(3) || way.origin == nil || way.isUndo)
  }

  /// Also those that only another program knows.
  @Test(arguments: WayIn.all) func unknownKeys(_ way: WayIn) async throws {
    let result = try await way.run {
      try $0.setPrice(1, 10, at: 5)
    } _: {
      try $0.setPrice(2, 11, at: 5)
    }
    #expect(result.file?.unknownKeys.map(\.count) == way.colours.map { [$0] })
    if let file = result.file { #expect(file.value.problems() == []) }
  }

  @Test(arguments: WayIn.all) func whatIsRefusedIsKept(_ way: WayIn) async throws {
    let result = try await way.run {
      try $0.add(3, to: 1, price: 40)
    } _: {
      try $0.add(4, to: 1, price: 40)
    }
    #expect(result.isRefused)
    // A store that only reloads leaves the file in place.
    let books = result.kept + [result.file?.value].compactMap(\.self)
    #expect(books.contains { $0.items[3]?.price == 40 } == way.keepsRefused)
  }
}
