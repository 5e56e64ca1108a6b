// The surroundings of the examples of stores, their options, merging and undoing.

// MARK: Store
// EXAMPLE
expect(titles == ["A walk"])
expect(try SnapshotFile.read(Dashboard.self, at: url).posts.count == 1)

// MARK: Store.value(_:at:options:)
// EXAMPLE
expect(printed == "15\n")
try await preferences.close()
expect(try SnapshotFile.read(ValueModel<Preferences>.self, at: url).fontSize == 15)

// MARK: Store.afterCommit(_:)
let store = Store(Dashboard())
let post = Post(id: "1", title: "A walk")
// EXAMPLE
expect(printed == "posted\n" && store.read { $0.posts.count } == 1)

// MARK: Snapshot
let store = try dashboard()
// EXAMPLE
expect(printed == "3\n" && store.read { $0.posts.isEmpty })

// MARK: StoreOptions
// EXAMPLE
expect(store.openReport?.problem == nil)
try await store.close()

// MARK: Store.statuses
let store = try Store<Dashboard>.open(at: url)
_Concurrency.Task {
  try store.write { try $0.posts.insert(Post(id: "1", title: "A walk")) }
  try await store.close()
}
// EXAMPLE
expect(printed.hasSuffix("saved\n"))

// MARK: ChangeSet
let store = Store(Dashboard())
let changes = store.changes
_Concurrency.Task {
  try store.write(origin: "sync") { try $0.posts.insert(Post(id: "1", title: "A walk")) }
  try store.write { try $0.posts.update("1") { $0.title = "A run" } }
  try await store.close()
}
// EXAMPLE
expect(printed == "1 A walk\n")

// MARK: SnapshotError
let other = try Store<Dashboard>.open(at: url)
// EXAMPLE
expect(printed.hasPrefix("Another program has it open."))
try other.closeAndWait()

// MARK: OpenReport
let whole = try SnapshotFile.encode(dashboard().read { $0 }, as: .json)
try SnapshotFile.write(Array(whole.dropLast(60)), to: url)
let store = try Store<Dashboard>.open(at: url, options: StoreOptions(recovery: .salvage))
// EXAMPLE
expect(printed.hasPrefix("the file is damaged; "))
try await store.close()

// MARK: Generation
try await {
  let store = try Store<Dashboard>.open(
    at: url, options: StoreOptions(generations: Generation.Policy(count: 3, interval: .zero)))
  for number in 1...3 {
    try store.write { try $0.posts.insert(Post(id: "\(number)", title: "A walk")) }
    try await store.flush()
  }
  try await store.close()
}()
// EXAMPLE
expect(try SnapshotFile.read(Dashboard.self, at: url).posts.count == 2 && printed.split(separator: "\n").count >= 2)

// MARK: Scratchpad
let store = Store(Notebook(sources: .fixed()))
let id = try store.write { try $0.addNote(text: "A beginning").id }
// EXAMPLE
expect(store.read { $0.notes[id]?.text } == "A better beginning")

// MARK: MergeConflict
let store = try dashboard()
let pad = store.scratchpad()
try pad.write { try $0.posts.update("1") { $0.title = "Ours" } }
try store.write { try $0.posts.update("1") { $0.title = "Theirs" } }
// EXAMPLE
expect(printed == "another change won: posts 1, title\n" || outcome.conflicts.first?.resolution == .tookTheirs)
expect(store.read { $0.posts["1"]?.title } != "Pencils")

// MARK: MergePolicy.Conflict
let store = try dashboard()
let pad = store.scratchpad()
try pad.write { try $0.posts.update("1") { ($0.title, $0.body) = ("Pad", "Pad") } }
try store.write { try $0.posts.update("1") { ($0.title, $0.body) = ("Store", "Store") } }
// EXAMPLE
let post = store.read { $0.posts["1"] }
expect(post?.title != post?.body)

// MARK: UndoHistory
let store = Store(Notebook(sources: .fixed()))
let id = try store.write { try $0.addNote(text: "A walk").id }
// EXAMPLE
expect(store.read { $0.notes[id]?.text } == "A walk" && history.redoNames == ["Delete Note"])

// MARK: ImportCheckpoints
let file = folder.appending(path: "posts.ndjson")
try SnapshotFile.write(try dashboard().read { try $0.posts.ndjson() }, to: file)
let store = Store(Dashboard())
// EXAMPLE
expect(count == 3 && store.read { $0.posts.count } == 3)

// MARK: Store.importRecords(_:into:batch:checkpoints:origin:progress:)
try SnapshotFile.write(try dashboard().read { try $0.posts.ndjson() }, to: url)
let store = Store(Dashboard())
// EXAMPLE
expect(count == 3 && store.read { $0.posts.count } == 3)

// MARK: RecordLines
try SnapshotFile.write(try dashboard().read { try $0.posts.ndjson() }, to: url)
// EXAMPLE
expect(printed == "Pencils\nA walk\nDrawing\n")

// MARK: Store.search(_:in:for:where:order:after:limit:)
let store = try dashboard()
// EXAMPLE
expect(found.map(\.id) == ["1", "3"])

// MARK: SavePolicy
// EXAMPLE
try store.write { try $0.posts.upsert(contentsOf: somePosts()) }
try await store.close()
expect(try SnapshotFile.read(Dashboard.self, at: url).posts.count == 3)

// MARK: JournalPolicy
// EXAMPLE
try store.write { try $0.posts.upsert(contentsOf: somePosts()) }
try await store.flush()
expect(store.status.journalBytes > 0)
try await store.close()
expect(try SnapshotFile.read(Dashboard.self, at: url).posts.count == 3)

// MARK: StoreAccess
// EXAMPLE
try store.write { try $0.posts.upsert(contentsOf: somePosts()) }
try await store.flush()
expect(try SnapshotFile.users(of: url).map(\.access) == [.shared])
try await store.close()

// MARK: Store.suspend(flushing:)
var options = StoreOptions(access: .shared, journal: .beside())
let store = try Store<Dashboard>.open(at: url, options: options)
try store.write { try $0.posts.upsert(contentsOf: somePosts()) }
// EXAMPLE
expect(store.status.isDirty == false)
try await store.close()

// MARK: ExternalChange
// EXAMPLE
try await store.flush()
// As another program does it.
try Data(SnapshotFile.encode(dashboard().read { $0 }, as: .json)).write(to: url, options: .atomic)
try store.write { try $0.posts.insert(Post(id: "4", title: "A run")) }
try await store.close()
expect(printed == "[]\n")
expect(try SnapshotFile.read(Dashboard.self, at: url).posts.count == 4)

// MARK: Recovery
let whole = try SnapshotFile.encode(dashboard().read { $0 }, as: .json)
try SnapshotFile.write(Array(whole.dropLast(60)), to: url)
// EXAMPLE
expect(printed.hasPrefix("damaged: ") && store.read { !$0.posts.isEmpty })
try await store.close()

// MARK: MergePolicy
let store = Store(Notebook(sources: .fixed()))
let id = try store.write { try $0.addNote(text: "A beginning").id }
let pad = store.scratchpad()
try store.write { try $0.setText("Ours", of: id) }
try pad.write { try $0.setText("Theirs", of: id) }
// EXAMPLE
expect(["Ours", "Theirs"].contains(store.read { $0.notes[id]?.text ?? "" }))
