// The surroundings of the examples of files, migrations and differences.

// MARK: DefaultValue
struct Book: Record {
  let id: Int
  var isLent: Bool
}
// EXAMPLE
let old = #"{"snapshot":{"schema":"library","version":1},"books":[{"id":1}]}"#
expect(try SnapshotFile.decode(Library.self, from: Array(old.utf8)).books[1]?.isLent == false)

// MARK: Migration
struct Person: Record {
  let id: Int
  var first: String
  var last: String
}
struct People: Model {
  var people = Table<Person>()
  nonisolated(unsafe) static var steps: [Migration] = []
  static var schema: Schema<People> {
    Schema("people", version: 2, Field("people", \.people), migrations: steps)
  }
}
// EXAMPLE
People.steps = [names]
let old = #"{"snapshot":{"schema":"people","version":1},"people":[{"id":1,"name":"Ada Lovelace"}]}"#
let person = try SnapshotFile.decode(People.self, from: Array(old.utf8)).people[1]
expect(person?.first == "Ada" && person?.last == "Lovelace")

// MARK: SnapshotHeader
try SnapshotFile.create(Dashboard(), as: .json, at: url)
// EXAMPLE
expect(printed == "dashboard 1\n")

// MARK: SnapshotSummary
var bytes = try SnapshotFile.encode(dashboard().read { $0 }, as: .json)
bytes[bytes.lastIndex(of: UInt8(ascii: "w"))!] = UInt8(ascii: "W")
try SnapshotFile.create(bytes, at: url)
// EXAMPLE
expect(printed == "posts 3\nedited by hand, or damaged\n")

// MARK: SnapshotContent
struct Library: Model {
  var posts = Table<Post>()
  static let schema = Schema("library", version: 1, Field("posts", \Library.posts))
}
let (old, new) = (url, folder.appending(path: "new.plist"))
let file = #"{"snapshot":{"schema":"library","version":1},"posts":[],"shelves":[{"id":1}]}"#
try SnapshotFile.create(Array(file.utf8), at: old)
// EXAMPLE
expect(String(decoding: try SnapshotFile.readBytes(at: new), as: UTF8.self).contains("<key>shelves</key>"))

// MARK: SnapshotContent.settledMerge(base:ours:theirs:policy:)
struct Library: Model {
  var posts = Table<Post>()
  static let schema = Schema("library", version: 1, Field("posts", \Library.posts))
}
let base = SnapshotContent(Library())
let (ours, theirs) = (base, base)
// EXAMPLE
expect(merged.conflicts.isEmpty && FileManager.default.fileExists(atPath: url.path(percentEncoded: false)))

// MARK: SnapshotFile.write(to:replacing:_:)
let title = Array("A list of posts\n".utf8)
let posts = somePosts()
func line(_ post: Post) -> [UInt8] { Array("\(post.title)\n".utf8) }
// EXAMPLE
let written = String(decoding: try SnapshotFile.readBytes(at: url), as: UTF8.self)
expect(written == "A list of posts\nPencils\nA walk\nDrawing\n")

// MARK: Salvaged.filled(from:)
struct Library: Model {
  var posts = Table<Post>()
  static let schema = Schema("library", version: 1, Field("posts", \Library.posts))
}
var library = Library()
try library.posts.upsert(contentsOf: somePosts())
let (damaged, backupURL) = (folder.appending(path: "damaged.json"), folder.appending(path: "backup.json"))
try SnapshotFile.create(library, as: .json, at: backupURL)
try SnapshotFile.create(Array(SnapshotFile.encode(library, as: .json).dropLast(60)), at: damaged)
// EXAMPLE
expect(try SnapshotFile.read(Library.self, at: url).posts.map(\.id) == ["1", "2", "3"])

// MARK: SalvageLoss
struct Library: Model {
  var posts = Table<Post>()
  static let schema = Schema("library", version: 1, Field("posts", \Library.posts))
}
let damaged = url
let file = #"{"snapshot":{"schema":"library","version":1},"posts":[{"id":7}]}"#
try SnapshotFile.create(Array(file.utf8), at: damaged)
// EXAMPLE
expect(printed.hasPrefix("posts "))

// MARK: ModelDifference
let before = try dashboard().read { $0 }
var after = before
try after.posts.update("1") { $0.title = "Ink" }
try after.posts.insert(Post(id: "4", title: "A run"))
// EXAMPLE
expect(printed == "1 new, 1 changed\nposts 1 [\"title\"]\n")

// MARK: UntypedModel
try SnapshotFile.create(dashboard().read { $0 }, as: .json, at: url)
let copy = folder.appending(path: "copy.plist")
// EXAMPLE
expect(try SnapshotFile.read(Dashboard.self, at: copy).posts.count == 3 && printed == "posts 3\n")

// MARK: RecordFold
// EXAMPLE
var store = try dashboard().read { $0 }
try store.posts.update("1") { $0.body = String(repeating: "a", count: 10_001) }
let (content, _) = try SnapshotFile.decodeRecords(from: SnapshotFile.encode(store, as: .json)) { _ in LongPosts() }
expect(content.tables.map(\.count) == [1])

// MARK: FolderReader
try Data("A walk".utf8).write(to: folder.appending(path: "a.txt"))
try Data("A".utf8).write(to: folder.appending(path: "b.md"))
try FileManager.default.createSymbolicLink(
  at: folder.appending(path: "c"), withDestinationURL: URL(filePath: "/etc/passwd"))
// EXAMPLE
expect(printed == "6\nc is a symbolic link\n")

// MARK: FolderWriter
let posts = somePosts()
let folder = folder.appending(path: "posts")
// EXAMPLE
expect(try String(contentsOf: folder.appending(path: "b/2.txt"), encoding: .utf8) == "By the river")

// MARK: FolderWriter.File
let index = folder.appending(path: "index.txt")
try Data("A run\n".utf8).write(to: index)
// EXAMPLE
expect(try String(contentsOf: index, encoding: .utf8) == "A run\nA walk\n")

// MARK: SnapshotFile
let copy = folder.appending(path: "copy.plist")
try SnapshotFile.create(dashboard().read { $0 }, as: .json, at: url)
// EXAMPLE
expect(try SnapshotFile.read(Dashboard.self, at: copy).posts.count == 3)

// MARK: FileFormat
let dashboard = try dashboard().read { $0 }
// EXAMPLE
expect(format == .json && bytes.first == UInt8(ascii: "{"))

// MARK: ReadOptions
var bytes = try SnapshotFile.encode(dashboard().read { $0 }, as: .json)
bytes[bytes.lastIndex(of: UInt8(ascii: "w"))!] = UInt8(ascii: "W")
try SnapshotFile.create(bytes, at: url)
// EXAMPLE
expect(dashboard.posts.count == 3)

// MARK: ReadLimits
try SnapshotFile.create(dashboard().read { $0 }, as: .json, at: url)
// EXAMPLE
expect(dashboard.posts.count == 3)

// MARK: Salvaged
let whole = try SnapshotFile.encode(dashboard().read { $0 }, as: .json)
try SnapshotFile.create(Array(whole.dropLast(60)), at: url)
// EXAMPLE
expect(printed.hasPrefix("2 posts, "))

// MARK: MigrationTree
// EXAMPLE
struct Entry: Record {
  let id: Int
  var tags: [String]
}
struct Blog: Model {
  var posts = Table<Entry>()
  nonisolated(unsafe) static var steps: [Migration] = []
  static var schema: Schema<Blog> { Schema("blog", version: 2, Field("posts", \.posts), migrations: steps) }
}
Blog.steps = [tidy]
let old = #"{"snapshot":{"schema":"blog","version":1},"drafts":[],"entries":[{"id":1}]}"#
expect(try SnapshotFile.decode(Blog.self, from: Array(old.utf8)).posts[1]?.tags == [])

// MARK: UntypedTable
// EXAMPLE
struct Entry: Record {
  let id: Int
  var body: String
}
struct Blog: Model {
  var posts = Table<Entry>()
  nonisolated(unsafe) static var steps: [Migration] = []
  static var schema: Schema<Blog> { Schema("blog", version: 2, Field("posts", \.posts), migrations: steps) }
}
Blog.steps = [shorter]
let records = #"{"id":1,"text":"A walk","isDraft":false},{"id":2,"text":"","isDraft":true}"#
let old = #"{"snapshot":{"schema":"blog","version":1},"posts":[\#(records)]}"#
expect(try SnapshotFile.decode(Blog.self, from: Array(old.utf8)).posts.map(\.body) == ["A walk"])

// MARK: UntypedValue
let bytes = Array(#"{"title":"A walk","tags":["paris"]}"#.utf8)
// EXAMPLE
expect(printed == "a dictionary\nA walk\n1\n")

// MARK: SnapshotFile.users(of:)
let store = try Store<Dashboard>.open(at: url, options: StoreOptions(policy: .manual, access: .shared))
// EXAMPLE
expect(printed.contains("(process ") && printed.hasSuffix(" shared\n"))
try store.closeAndWait()

// MARK: SnapshotFile.JournalSummary
let store = try Store<Dashboard>.open(at: url, options: StoreOptions(policy: .manual, journal: .beside()))
for post in somePosts() {
  try store.write { try $0.posts.insert(post) }
  try store.flushAndWait()
}
// EXAMPLE
expect(printed == "3 changes are not in the file yet\n")
try store.closeAndWait()

// MARK: Salvaged.init(ofFileAt:as:limits:)
let store = try Store<Dashboard>.open(at: url, options: StoreOptions(policy: .manual, journal: .beside()))
try store.write { try $0.posts.upsert(contentsOf: somePosts()) }
try store.flushAndWait()
// EXAMPLE
expect(printed == "true 3\n")
try store.closeAndWait()
