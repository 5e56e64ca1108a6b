import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A chore, with the properties by which lists filter, sort and divide.
struct Chore: Record {
  let id: Int
  var room = "kitchen"
  var rank = 0
  var text = ""
  var isDone = false
  var tool = SoftLink<Implement>("broom")
}

/// The implement of a chore; stored in another store.
struct Implement: Record {
  let id: String
  var name = ""
}

struct House: Model {
  var chores = Table<Chore>()
  var guests = Table<Chore>()

  static let schema = Schema<House>("house", version: 1, Field("chores", \.chores), Field("guests", \.guests))

  init() {}

  init(_ chores: [Chore]) throws { self.chores = try Table(chores) }

  /// One to three changes of chores: any kind, any number of properties.
  mutating func changeAtRandom(_ random: inout SeededGenerator, ids: Int) throws {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let id = Int.random(in: 0..<ids, using: &random)
      guard var chore = chores[id] else {
        try chores.insert(.random(id, &random))
        continue
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: chores.remove(id)
      case 1: chore.rank = Int.random(in: 0..<8, using: &random)
      case 2: chore.room = Chore.rooms.randomElement(using: &random) ?? ""
      case 3: chore.isDone.toggle()
      case 4: chore.text += "x"
      default: chore = .random(id, &random)
      }
      if chores.contains(id) { try chores.upsert(chore) }
    }
  }
}

extension Chore {
  static let rooms = ["attic", "bath", "cellar", "kitchen"]

  static func random(_ id: Int, _ random: inout SeededGenerator) -> Chore {
    Chore(
      id: id, room: rooms.randomElement(using: &random) ?? "", rank: Int.random(in: 0..<8, using: &random),
      text: "\(id)", isDone: Int.random(in: 0..<4, using: &random) == 0)
  }
}

extension Store where Root == House {
  func set(_ chores: Chore...) throws {
    try write { house in for chore in chores { try house.chores.upsert(chore) } }
  }
}

extension LiveList.Batch {
  /// All faults of a batch: in the new list that it makes from the old one, and in the indexes it names.
  func violations() -> [String] {
    var result: [String] = []
    var records = Array(before)
    apply(to: &records)
    if !records.elementsEqual(after) { result.append("the records differ") }
    var keys = before.sections.map(\.key)
    apply(toSections: &keys)
    if keys != after.sections.map(\.key) { result.append("the sections differ") }
    for pair in moves + updates where before[pair.old].id != after[pair.new].id {
      result.append("\(pair) is two records")
    }
    for pair in updates where before[pair.old] == after[pair.new] { result.append("\(pair) has not changed") }
    let (olds, news) = (deletes + (moves + updates).map(\.old), inserts + (moves + updates).map(\.new))
    if Set(olds).count != olds.count || Set(news).count != news.count { result.append("a row is in two parts") }
    let (left, come) = (
      Set(before.map(\.id)).subtracting(after.map(\.id)), Set(after.map(\.id)).subtracting(before.map(\.id))
    )
    if Set(deletes.map { before[$0].id }) != left { result.append("deletes are not those that left") }
    if Set(inserts.map { after[$0].id }) != come { result.append("inserts are not those that came") }
    return result
  }
}

extension LiveWatch {
  /// Yields until this number of tasks wait.
  func untilWaiting(_ count: Int = 1) async {
    while waiterCount != count { await Task.yield() }
  }
}
