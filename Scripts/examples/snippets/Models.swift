// The surroundings of the examples of records, models, tables and indexes.

// MARK: Record
// EXAMPLE
expect(Post(id: "1", blogName: "b", body: "A walk").id == "1" && Post.indexes.isEmpty)

// MARK: Model
// EXAMPLE
let store = Store(Dashboard())
try store.write { try $0.posts.insert(Post(id: "1", title: "A walk")) }
expect(store.read { $0.posts.count } == 1)

// MARK: SingleValue
struct Theme: Codable, Equatable {
  var name = "light"
}
// EXAMPLE
let store = try Store<Dashboard>.open(at: url)
try store.write { $0.theme.name = "dark" }
try await store.close()
expect(try SnapshotFile.read(Dashboard.self, at: url).theme.name == "dark")

// MARK: Part
struct Place: Record {
  let id: String
}
// EXAMPLE
var journal = Journal()
try journal.notebook.addNote(text: "A walk")
try journal.places.insert(Place(id: "Paris"))
let summary = try SnapshotSummary(of: SnapshotFile.encode(journal, as: .json))
expect(summary.tables.map(\.name).contains("notes") && summary.tables.map(\.name).contains("places"))

// MARK: Table
// EXAMPLE
expect(printed == "A walk by the river 1\n" && posts.isEmpty)

// MARK: Table.update(where:_:)
let store = try dashboard()
// EXAMPLE
expect(store.read { $0.posts.allSatisfy(\.isRead) })

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

// MARK: Tombstones
// EXAMPLE
let store = Store(Dashboard())
try store.write { try $0.posts.insert(Post(id: "1", title: "A walk")) }
try store.write { $0.posts.remove("1") }
expect(store.read { $0.deletedPosts.map(\.id) } == ["1"])

// MARK: Model.updateTombstones(since:)
struct Author: Record {
  let id: Int
}
struct Article: Record {
  let id: Int
  var author: Author.ID
}
struct Dashboard: Model {
  var posts = Table<Article>()
  var deletedPosts = Table<Tombstone<Article>>()
  static let schema = Schema<Dashboard>(
    name: "dashboard", version: 1, tombstones: [Tombstones(of: \.posts, in: \.deletedPosts)]
  ) {
    Field("posts", \.posts)
    Field("deletedPosts", \.deletedPosts)
  }
}
// EXAMPLE
var dashboard = Dashboard()
try dashboard.posts.insert(Article(id: 1, author: 7))
try dashboard.posts.insert(Article(id: 2, author: 8))
dashboard.deletePosts(of: 7)
expect(dashboard.posts.map(\.id) == [2] && dashboard.deletedPosts.map(\.id) == [1])

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
  static let indexes: [any RecordIndex<Task>] = [byState]
}
struct Tasks: Model {
  var tasks = Table<Task>()
  static let schema = Schema<Tasks>(name: "tasks", version: 1) { Field("tasks", \.tasks) }
}
let store = Store(Tasks())
try store.write { model in
  try model.tasks.insert(Task(id: 1, title: "Sow", isDone: true))
  try model.tasks.insert(Task(id: 2, title: "Water"))
}
let tasks = store.read { $0.tasks }
// EXAMPLE
expect(open.map(\.id) == [2] && list.current().map(\.id) == [2, 1])

// MARK: SoftLink
struct Recipe: Record {
  let id: String
  var title: String
}
// EXAMPLE
var recipes = Table<Recipe>()
try recipes.insert(Recipe(id: "soup", title: "Soup"))
let plan = Plan(id: 1, recipe: SoftLink("soup"))
expect(recipes[plan.recipe.id]?.title == "Soup")

// MARK: MendingModel
struct Shelf: Record {
  let id: Int
}
struct Book: Record {
  let id: Int
  var shelf: Shelf.ID
}
// EXAMPLE
var library = Library()
try library.books.insert(Book(id: 1, shelf: 7))
expect(library.mendAfterLosses().map(\.place) == ["books 1"] && library.books.isEmpty)

// MARK: Rule
struct Order: Record {
  let id: Int
  var total = 0
}
struct Item: Record {
  let id: Int
  var order: Order.ID
  var price: Int
  static let byOrder = Index<Item, Order.ID>("order") { $0.order }
  static let indexes: [any RecordIndex<Item>] = [byOrder]
}
// EXAMPLE
let store = Store(Shop())
try store.write { shop in
  try shop.orders.insert(Order(id: 1))
  try shop.items.insert(Item(id: 1, order: 1, price: 3))
  try shop.items.insert(Item(id: 2, order: 1, price: 4))
}
expect(store.read { $0.orders[1]?.total } == 7)

// MARK: Validation
// EXAMPLE
let store = Store(Blog())
try? store.write { try $0.posts.insert(Post(id: "1", title: "")) }
try store.write { try $0.posts.insert(Post(id: "2", title: "A walk")) }
expect(store.read { $0.posts.map(\.id) } == ["2"])

// MARK: Validation.init(_:on:_:)
struct Person: Record {
  let id: Int
}
struct Loan: Record {
  let id: Int
  var person: Person.ID
  static let byPerson = Index<Loan, Person.ID>("person") { $0.person }
  static let indexes: [any RecordIndex<Loan>] = [byPerson]
}
struct Library: Model {
  var people = Table<Person>()
  var loans = Table<Loan>()
  static let schema = Schema<Library>(name: "library", version: 1, validations: [person, loans]) {
    Field("people", \.people)
    Field("loans", \.loans)
  }
}
// EXAMPLE
let store = Store(Library())
try store.write { library in
  try library.people.insert(Person(id: 1))
  try library.loans.insert(Loan(id: 1, person: 1))
}
try? store.write { try $0.loans.insert(Loan(id: 2, person: 2)) }
try? store.write { $0.people.remove(1) }
expect(store.read { ($0.people.count, $0.loans.count) } == (1, 1))

// MARK: TransactionRefusal
struct Blog: Model {
  var posts = Table<Post>()
  static let schema = Schema<Blog>(
    name: "blog", version: 1,
    validations: [Validation("titles", on: \.posts) { post, _ in post.title.isEmpty ? "the title is empty" : nil }]
  ) {
    Field("posts", \.posts)
  }
}
let store = Store(Blog())
// EXAMPLE
expect(printed == "[\"the title is empty\"]\n")

// MARK: MergeRule
struct Tasks: Model {
  var tasks = Table<Task>()
  static let schema = Schema<Tasks>(name: "tasks", version: 1) { Field("tasks", \.tasks) }
}
// EXAMPLE
var base = Tasks()
try base.tasks.insert(Task(id: 1, title: "Sow", tags: ["spring"], changed: Date(timeIntervalSince1970: 0)))
var (ours, theirs) = (base, base)
try ours.tasks.update(1) { ($0.title, $0.changed) = ("Sow peas", Date(timeIntervalSince1970: 2)) }
try theirs.tasks.update(1) { ($0.title, $0.changed) = ("Sow beans", Date(timeIntervalSince1970: 1)) }
try ours.tasks.update(1) { $0.tags.append("garden") }
try theirs.tasks.update(1) { $0.tags.append("food") }
let merged = try Tasks.merging(base: base, ours: ours, theirs: theirs, policy: .newest).value.tasks[1]
expect(merged?.title == "Sow peas" && merged?.tags == ["spring", "garden", "food"])

// MARK: Schema
struct Book: Record {
  let id: Int
  var title: String
}
struct Settings: Codable, Equatable {
  var theme = "light"
}
// EXAMPLE
let old = #"{"snapshot":{"schema":"library","version":1},"books":[{"id":1,"name":"Oak"}]}"#
let library = try SnapshotFile.decode(Library.self, from: Array(old.utf8))
expect(library.books[1]?.title == "Oak" && library.settings.theme == "light")

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

// MARK: Origin
let store = Store(Dashboard())
let received = somePosts()
let changes = store.changes
// EXAMPLE
try store.closeAndWait()
var origins: [Origin] = []
for await change in changes { origins.append(change.origin) }
expect(origins == [.sync])

// MARK: KeyRange
let posts = try dashboard().read { $0.posts }
let start = Date(timeIntervalSince1970: 1)
// EXAMPLE
expect(later.map(\.id) == ["2", "3"] && until.map(\.id) == ["1"])

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
  static let schema = Schema<Tasks>(name: "tasks", version: 1) { Field("tasks", \.tasks) }
}
let store = Store(Tasks())
try store.write { try $0.tasks.upsert(contentsOf: [Task(id: 1, priority: .low), Task(id: 2, priority: .high)]) }
// EXAMPLE
expect(urgent.current().map(\.id) == [2, 1])

// MARK: Violation
// EXAMPLE
var blog = Blog()
try blog.posts.insert(Post(id: "1", title: ""))
expect(blog.allViolations() == ["posts 1: the title is empty"])

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
