import Testing

@testable import SnapshotStore

/// A record with an index of every kind.
struct Person: Record {
  let id: Int
  var email: String?
  var age: Double?
  var groups: [String] = []
  var phones: [Int] = []

  static let byEmail = Index<Person, String>("email", unique: true) { $0.email }
  static let byAge = Index<Person, Double>("age") { $0.age }
  static let byGroup = Index<Person, String>("group", each: { $0.groups })
  static let byPhone = Index<Person, Int>("phone", unique: true, each: { $0.phones })
  static let indexes = Indexes(byEmail, byAge, byGroup, byPhone)
}

/// A record without indexes, whose id is a text.
struct Word: Record {
  let id: String
  var count = 1
}

/// A record whose id can be a NaN.
struct Reading: Record {
  var id: Double
  var value = 0
}

struct Directory: Model {
  var words = Table<Word>()
  var people = Table<Person>()
  var readings = Table<Reading>()

  // Not in alphabetical order, so that a test of the order has a meaning.
  static let schema = Schema<Directory>(
    "directory", version: 1,
    Field("words", \.words),
    Field("people", \.people),
    Field("readings", \.readings))
}

extension Person {
  /// A person drawn from few values, so that keys often collide. `hasNaN` adds ages that are not numbers.
  static func random(id: Int, hasNaN: Bool = true, using random: inout SeededGenerator) -> Person {
    var person = Person(id: id)
    if Bool.random(using: &random) { person.email = "\(Int.random(in: 0..<60, using: &random))@example.org" }
    let age = Int.random(in: hasNaN ? -2...20 : -1...20, using: &random)
    person.age = age == -2 ? .nan : age == -1 ? nil : Double(age)
    let groups = Int.random(in: 0...3, using: &random)
    person.groups = (0..<groups).map { _ in ["a", "b", "c", "d"].randomElement(using: &random) ?? "" }
    if Int.random(in: 0..<3, using: &random) == 0 { person.phones = [Int.random(in: 0..<40, using: &random)] }
    return person
  }

  /// The same person without unique keys.
  var withoutUniqueKeys: Person {
    var person = self
    person.email = nil
    person.phones = []
    return person
  }
}

extension Table<Person> {
  /// Random changes, some of which are refused.
  mutating func changeAtRandom(
    _ count: Int, ids: Range<Int> = 0..<200, hasNaN: Bool = true, isUnique: Bool = true,
    using random: inout SeededGenerator
  ) {
    for _ in 0..<count {
      let id = Int.random(in: ids, using: &random)
      var person = Person.random(id: id, hasNaN: hasNaN, using: &random)
      if !isUnique { person = person.withoutUniqueKeys }
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2: remove(id)
      case 3...4: try? insert(person)
      case 5...6: try? update(id) { $0.groups = person.groups }
      default: _ = try? upsert(person)
      }
    }
  }
}

/// Expects a refusal with a code, and returns the error.
@discardableResult
func expectRefusal(
  _ code: SnapshotError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> SnapshotError? {
  let error = #expect(throws: SnapshotError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  return error
}
