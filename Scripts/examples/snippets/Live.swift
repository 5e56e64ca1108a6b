// The surroundings of the examples of lists that follow a store.

// MARK: Store.observe(_:where:sortedBy:order:sectionedBy:sectionOrder:limit:)
let store = Store(Notebook(sources: .fixed()))
func show(_ list: LiveList<Note, NoSections>, _ batch: LiveList<Note, NoSections>.Batch?) {
  print(list.map(\.text), batch?.inserts ?? [])
  if list.isEmpty {
    _ = try? store.write { try $0.addNote(text: "A walk") }
  } else {
    try? store.closeAndWait()
  }
}
// EXAMPLE
expect(printed == "[] []\n[\"A walk\"] [0]\n")

// MARK: ObservableList
struct List {
  var rows: [Text]
  init(_ notes: LiveList<Note, NoSections>, _ row: (Note) -> Text) { rows = notes.map(row) }
}
struct Text {
  init(_ text: String) { print(text) }
}
let store = Store(Notebook(sources: .fixed()))
try store.write { try $0.addNote(text: "A walk") }
// EXAMPLE
expect(printed == "A walk\n")

// MARK: ObservableValue
struct Text {
  init(_ text: String) { print(text) }
}
let store = Store(Notebook(sources: .fixed()))
try store.write { try $0.addNote(text: "A walk") }
// EXAMPLE
expect(printed == "1 notes\n1 notes\n" && told.value == 1)

// MARK: LiveList
let store = try dashboard()
let list = store.observe(\.posts, sortedBy: \.title, sectionedBy: { $0.tags.first ?? "" }).current()
// EXAMPLE
expect(printed == "art\n- Drawing\n- Pencils\nparis\n- A walk\n")

// MARK: LiveList.Batch
let store = try dashboard()
var updates = store.observe(\.posts, sortedBy: \.title).makeAsyncIterator()
_ = await updates.next(isolation: MainActor.shared)
try store.write { model in
  try model.posts.update("1") { $0.body = "On ink" }
  model.posts.remove("2")
}
let batch = await updates.next(isolation: MainActor.shared)!.batch!
// EXAMPLE
expect(rows == Array(batch.after) && printed == "row 1 changed\n")

// MARK: LiveValues
let store = Store(Dashboard())
_Concurrency.Task {
  try store.write { try $0.posts.insert(Post(id: "1", title: "A walk")) }
  try await store.close()
}
// EXAMPLE
expect(printed.hasSuffix("1 posts\n"))

// MARK: LiveList.Updates
let store = Store(Dashboard())
_Concurrency.Task {
  try store.write { try $0.posts.insert(Post(id: "1", title: "A walk")) }
  try await store.close()
}
// EXAMPLE
expect(printed.hasSuffix("1 [0]\n") || printed == "1 []\n")
