// The surroundings of the examples of tables, indexes and pages.

// MARK: Table
// EXAMPLE
expect(printed == "A walk by the river 1\n" && posts.isEmpty)

// MARK: Table.update(where:_:)
let store = try dashboard()
// EXAMPLE
expect(store.read { $0.posts.allSatisfy(\.isRead) })

// MARK: Table.update(in:at:default:_:)
struct Tag: Record {
  let id: Int
  var name: String
  var uses = 0
  static let byName = Index("name", unique: true, key: \Tag.name)
  static let indexes = Indexes(byName)
}
var tags = Table<Tag>()
// EXAMPLE
expect(tags[7]?.uses == 1)

// MARK: Table.mapConcurrently(threads:_:)
var posts = Table<Post>()
try posts.insert(Post(id: "1", title: "Swift", body: "On Swift"))
try posts.insert(Post(id: "2", title: "Swallow", body: "On birds"))
// EXAMPLE
expect(Array(found) == ["1"])

// MARK: Table.page(in:order:after:before:where:limit:)
let posts = try dashboard().read { $0.posts }
// EXAMPLE
expect(page.isEmpty && posts.page(in: Post.byDate, order: .descending, limit: 1).map(\.record.id) == ["3"])

// MARK: Table.IndexEntries
let posts = try dashboard().read { $0.posts }
// EXAMPLE
expect(counts == ["art": 2, "paris": 2])

// MARK: RecordBatch
let lines = ["1 A walk", "2 A run"]
extension Post {
  fileprivate init(_ line: String) {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    self.init(id: parts[0], title: parts[1])
  }
}
let store = Store(Dashboard())
// EXAMPLE
expect(store.read { $0.posts.map(\.title) } == ["A walk", "A run"])

// MARK: Index
struct Tag: Record {
  let id: Int
}
struct Note: Record {
  let id: Int
  var sortDate: Date
  var tags: [Tag.ID]
}
let yesterday = Date(timeIntervalSince1970: 10)
var notes = Table<Note>()
try notes.insert(Note(id: 1, sortDate: yesterday - 1, tags: []))
try notes.insert(Note(id: 2, sortDate: yesterday, tags: [1]))
try notes.insert(Note(id: 3, sortDate: yesterday + 1, tags: [1]))
// EXAMPLE
expect(recent.map(\.id) == [3, 2] && notes.records(in: Note.byTag, at: 1).map(\.id) == [2, 3])

// MARK: CompoundKey
struct Task: Record {
  let id: Int
  var title: String
  var isDone = false
  var due: Date?
  static let indexes = Indexes(byState)
}
struct Tasks: Model {
  var tasks = Table<Task>()
  static let schema = Schema("tasks", version: 1, Field("tasks", \Tasks.tasks))
}
let store = Store(Tasks())
try store.write { model in
  try model.tasks.insert(Task(id: 1, title: "Sow", isDone: true))
  try model.tasks.insert(Task(id: 2, title: "Water"))
}
let tasks = store.read { $0.tasks }
// EXAMPLE
expect(open.map(\.id) == [2] && list.current().map(\.id) == [2, 1])

// MARK: Records
let posts = try dashboard().read { $0.posts }
// EXAMPLE
expect(printed == "Drawing\nPencils\n")

// MARK: RecordChange
let store = try dashboard()
let pad = store.scratchpad()
try pad.write { try $0.posts.update("1") { $0.title = "Ink" } }
try pad.write { $0.posts.remove("2") }
let changes = pad.changes
// EXAMPLE
expect(printed == "Pencils is Ink\ngone: A walk\n")

// MARK: KeyRange
let posts = try dashboard().read { $0.posts }
let start = Date(timeIntervalSince1970: 1)
// EXAMPLE
expect(later.map(\.id) == ["2", "3"] && until.map(\.id) == ["1"])

// MARK: KeySpan
struct Post: Record {
  let id: Int
  var title: String
  var date: Date
  static let byTitle = Index("title", key: \Post.title)
  static let byDate = Index("date", key: \Post.date)
  static let indexes = Indexes(byTitle, byDate)
}
let lastSeen = Date(timeIntervalSince1970: 1)
let posts = try Table([
  Post(id: 1, title: "Flâneur", date: lastSeen), Post(id: 2, title: "A walk", date: lastSeen + 1),
  Post(id: 3, title: "Flat", date: lastSeen - 1),
])
// EXAMPLE
expect(found.map(\.id) == [3] && later.map(\.id) == [2])

// MARK: IndexPosition
let posts = try dashboard().read { $0.posts }
// EXAMPLE
expect(last?.id == "3" && next.isEmpty)

// MARK: SortKey
struct Task: Record {
  let id: Int
  var priority: Priority
}
struct Tasks: Model {
  var tasks = Table<Task>()
  static let schema = Schema("tasks", version: 1, Field("tasks", \Tasks.tasks))
}
let store = Store(Tasks())
try store.write { try $0.tasks.upsert(contentsOf: [Task(id: 1, priority: .low), Task(id: 2, priority: .high)]) }
// EXAMPLE
expect(urgent.current().map(\.id) == [2, 1])

// MARK: LinkTargets
struct Recipe: Record {
  let id: String
  var title: String
}
struct Plan: Record {
  let id: Int
  var day: Int
  var recipe: SoftLink<Recipe>
}
var recipes = Table<Recipe>()
try recipes.insert(Recipe(id: "soup", title: "Soup"))
let plans = [Plan(id: 1, day: 1, recipe: SoftLink("soup")), Plan(id: 2, day: 2, recipe: SoftLink("pie"))]
// EXAMPLE
expect(printed == "1 Soup\n2 gone\n" && targets.missing == ["pie"])
