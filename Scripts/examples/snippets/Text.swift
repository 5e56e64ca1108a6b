// The surroundings of the examples of texts, other programs' formats and records that read themselves.

// MARK: UntypedDocument
let bytes = Array("[{\"title\":\"A walk\"},\n{\"name\":\"A run\"}]".utf8)
do {
  // EXAMPLE
  expect(false)
} catch let error as SnapshotError {
  expect(error.code == .missingKey && error.position?.line == 2)
}

// MARK: UntypedRecord
let record: UntypedRecord = ["title": "A walk", "body": "By the river"]
// EXAMPLE
expect(printed == "title A walk\nbody By the river\n")

// MARK: SearchQuery
let posts = try dashboard().read { $0.posts }
// EXAMPLE
expect(found.map(\.id) == ["1", "3"])

// MARK: SearchableText
struct Recipe: Record {
  let id: Int
  var steps: Steps
}
var recipes = Table<Recipe>()
try recipes.insert(Recipe(id: 1, steps: Steps(texts: ["Melt the butter", "Wait"])))
try recipes.insert(Recipe(id: 2, steps: Steps(texts: ["Boil"])))
// EXAMPLE
expect(found.map(\.id) == [1])

// MARK: Table.search(in:for:where:order:after:limit:)
let posts = try dashboard().read { $0.posts }
// EXAMPLE
expect(found.map(\.id) == ["1", "3"] && printed.split(separator: "\n").count == 2)

// MARK: Table.search(in:for:where:by:order:after:limit:)
let posts = try dashboard().read { $0.posts }
// EXAMPLE
expect(page.map(\.record.id) == ["3", "1"] && next.isEmpty)

// MARK: Table.records(ndjson:limits:path:)
let bytes = try dashboard().read { try $0.posts.ndjson() }
let store = Store(Dashboard())
// EXAMPLE
expect(store.read { $0.posts.count } == 3)

// MARK: DirectRecord
struct Post: Record {
  let id: String
  var title: String
  var date: Date?
}
// EXAMPLE
struct Blog: Model {
  var posts = Table<Post>()
  static let schema = Schema("blog", version: 1, Field("posts", \Blog.posts))
}
var blog = Blog()
try blog.posts.insert(Post(id: "1", title: "A walk", date: nil))
expect(try SnapshotFile.decode(Blog.self, from: SnapshotFile.encode(blog, as: .json)).posts == blog.posts)

// MARK: DirectValue
struct Celsius: Codable, Equatable {
  var degrees: Double
  init(degrees: Double) { self.degrees = degrees }
  init(from decoder: any Decoder) throws { degrees = try decoder.singleValueContainer().decode(Double.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(degrees)
  }
}
// EXAMPLE
struct Kiln: DirectRecord, Record {
  let id: Int
  var heat: Celsius
  var priority: Priority
  init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    (id, heat, priority) = (try reader.read("id"), try reader.read("heat"), try reader.read("priority"))
  }
  init(id: Int, heat: Celsius, priority: Priority) { (self.id, self.heat, self.priority) = (id, heat, priority) }
  func write(to writer: inout RecordWriter) {
    writer.write("id", id)
    writer.write("heat", heat)
    writer.write("priority", priority)
  }
}
struct Workshop: Model {
  var kilns = Table<Kiln>()
  static let schema = Schema("workshop", version: 1, Field("kilns", \Workshop.kilns))
}
var workshop = Workshop()
try workshop.kilns.insert(Kiln(id: 1, heat: Celsius(degrees: 1240.5), priority: .high))
expect(try SnapshotFile.decode(Workshop.self, from: SnapshotFile.encode(workshop, as: .json)).kilns == workshop.kilns)
