import Foundation

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// Changes of a store's whole value: migrations, rules, and blocks beside other writers.
extension ScalingInputs {
  static let values: [Case] =
    FileFormat.allCases.map { format in
      Case("migrating \(format) by three steps", 25) { size in
        let world = StoreUnderTest()
        let old = Array(try SnapshotFile.encode(try Library.V1.random(seed: 3, count: size), as: format))
        let options = StoreFileOptions(
          fileSystem: world.fileSystem, limits: ReadLimits(), threads: 1, isReadOnly: false)
        return {
          world.bytes = old
          _ = try SnapshotFile.migrate(Library.Today.self, at: world.path, options)
        }
      }
    } + [
      Case("reading a value beside many members that it does not know", 200) { size in
        let members = (0..<size).map { ",\n\"member \($0)\":1" }.joined()
        let file = bytes(#"{"snapshot":{"schema":"value","version":1}\#(members)}"#)
        return { _ = try SnapshotFile.decodeContent(ValueModel<Lenient>.self, from: file) }
      },
      Case("running rules", 100) { size in
        let before = try ruled(size)
        return {
          let store = Store(before)
          try store.runRules()
          try store.runRules()
        }
      },
      Case("a block in the background, beside other writers", 100) { size in
        var before = Counters()
        before.left = try Table((0..<size).map { Counter(id: $0, value: 0) })
        let start = before
        return {
          // The work of `performBackground` on a thread of its own, whose time the meter would not see.
          let store = Store(start)
          let seen = try store.latestForWriting()
          var draft = seen.value
          try draft.left.updateAll { $0.value = 1 }
          for id in 0..<size { try store.write { try $0.set(size + id, to: 2) } }
          var change = MergedChange(draft, madeFrom: seen.value, policy: .fail, isTransaction: true) { _ in }
          try store.publish(&change, onto: seen, origin: .local)
        }
      },
    ]

  private static func ruled(_ count: Int) throws -> Doubled {
    var value = Doubled()
    value.left = try Table((0..<count).map { Counter(id: $0, value: $0) })
    return value
  }
}

/// A value of which a file may lack a property that it writes.
private struct Lenient: Codable, Equatable, Sendable {
  var size = 1

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    size = try container.decodeIfPresent(Int.self, forKey: .size) ?? 1
  }
}

/// The right table has twice the values of the left one.
private struct Doubled: Model {
  var left = Table<Counter>()
  var right = Table<Counter>()

  static let rule = Rule<Doubled>("twice", on: \.left) { changes, value in
    for change in changes {
      guard let counter = change.after else { continue }
      try value.right.upsert(Counter(id: counter.id, value: 2 * counter.value))
    }
  }

  static let schema = Schema<Doubled>(
    "doubled", version: 1,
    Field("left", \.left),
    Field("right", \.right),
    rules: [rule])
}
