// The surroundings of the examples of records, models, rules and schemas.

// MARK: Record
// EXAMPLE
expect(Post(id: "1", blogName: "b", body: "A walk").id == "1")

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

// MARK: Field.init(part:prefix:)
struct Place: Record {
  let id: String
}
// EXAMPLE
var journal = Journal()
try journal.notebook.addNote(text: "A walk")
try journal.places.insert(Place(id: "Paris"))
let summary = try SnapshotSummary(of: SnapshotFile.encode(journal, as: .json))
expect(summary.tables.map(\.name).contains("notes") && summary.tables.map(\.name).contains("places"))

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
  static let schema = Schema(
    "dashboard", version: 1,
    Field("posts", \Dashboard.posts),
    Field("deletedPosts", \Dashboard.deletedPosts),
    tombstones: [Tombstones(of: \.posts, in: \.deletedPosts)])
}
// EXAMPLE
var dashboard = Dashboard()
try dashboard.posts.insert(Article(id: 1, author: 7))
try dashboard.posts.insert(Article(id: 2, author: 8))
dashboard.deletePosts(of: 7)
expect(dashboard.posts.map(\.id) == [2] && dashboard.deletedPosts.map(\.id) == [1])

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

// MARK: RepairingModel
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
expect(library.repair().map(\.place) == ["books 1"] && library.books.isEmpty)

// MARK: Relation
// EXAMPLE
let store = Store(Shop())
try store.write { shop in
  try shop.orders.insert(Order(id: 1))
  try shop.items.insert(Item(id: 1, order: 1))
}
try store.write { $0.orders.remove(1) }
expect(store.read { $0.items.isEmpty })

// MARK: Transient
struct Book: Record {
  let id: Int
}
// EXAMPLE
let store = Store(Library())
try store.write { $0.selection = 7 }
expect(store.read { $0.selection } == 7)

// MARK: Rule
struct Order: Record {
  let id: Int
  var total = 0
}
struct Item: Record {
  let id: Int
  var order: Order.ID
  var price: Int
  static let byOrder = Index("order", key: \Item.order)
  static let indexes = Indexes(byOrder)
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

// MARK: TransactionRefusal
struct Blog: Model {
  var posts = Table<Post>()
  static let schema = Schema(
    "blog", version: 1,
    Field("posts", \Blog.posts),
    validations: [Validation("titles", on: \.posts) { post, _ in post.title.isEmpty ? "the title is empty" : nil }])
}
let store = Store(Blog())
// EXAMPLE
expect(printed == "[\"the title is empty\"]\n")

// MARK: Field.flattened()
struct Preferences: Codable, Equatable { var theme = "light" }
struct Book: Record { let id: Int }
try await Store.value(Preferences(theme: "dark"), at: url).close()
// EXAMPLE
let reader = try Store<Reader>.open(at: url)
expect(reader.preferences.theme == "dark" && reader.books.isEmpty)

// MARK: Field.derived()
struct Item: Record {
  let id: Int
  var price: Int
}
struct Total: Record {
  let id: Int
  var sum: Int
}
// EXAMPLE
extension Shop {
  mutating func addUp(_ changes: [RecordChange<Item>]) throws {
    try totals.upsert(Total(id: 0, sum: items.reduce(0) { $0 + $1.price }))
  }
}
let store = Store(Shop())
try store.write { try $0.items.insert(Item(id: 1, price: 1)) }
let pad = store.scratchpad()
try pad.write { try $0.items.insert(Item(id: 2, price: 2)) }
try store.write { try $0.items.insert(Item(id: 3, price: 3)) }
expect(try pad.commit().conflicts.isEmpty && store.read { $0.totals[0]?.sum } == 6)

// MARK: MergeRule
struct Tasks: Model {
  var tasks = Table<Task>()
  static let schema = Schema("tasks", version: 1, Field("tasks", \Tasks.tasks))
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

// MARK: Origin
let store = Store(Dashboard())
let received = somePosts()
let changes = store.changes
// EXAMPLE
try store.closeAndWait()
var origins: [Origin] = []
for await change in changes { origins.append(change.origin) }
expect(origins == [.sync])

// MARK: Violation
// EXAMPLE
var blog = Blog()
try blog.posts.insert(Post(id: "1", title: ""))
expect(blog.allViolations() == ["posts 1: the title is empty"])
