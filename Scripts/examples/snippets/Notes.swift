// The surroundings of the examples of the notebook.

// MARK: NoteFilter
var notebook = Notebook(sources: .fixed())
let paris = notebook.tag(named: "Paris")
try notebook.addNote(text: "A museum", tags: [paris.id])
// EXAMPLE
expect(page.count == 1 && found.count == 1)

// MARK: Notebook.timeline(_:after:limit:)
var notebook = Notebook(sources: .fixed())
try notebook.addNote(text: "A walk")
// EXAMPLE
expect(page.count == 1 && next.isEmpty)

// MARK: Notebook.apply(_:to:)
let store = Store(Notebook(sources: .fixed()))
let selectedIDs = [try store.write { try $0.addNote(text: "A walk").id }]
// EXAMPLE
expect(store.read { Array($0.notes(tagged: "read")).count } == 1)

// MARK: Notebook.apply(_:where:)
let store = Store(Notebook(sources: .fixed()))
let id = try store.write { try $0.addNote(text: "A walk").id }
let lastYear = Date.distantFuture
// EXAMPLE
expect(store.read { $0.notes[id]?.archived } == true)

// MARK: Notebook.merge(detached:base:)
let store = Store(Notebook(sources: .fixed()))
let (id, museums) = try store.write { (try $0.addNote(text: "Open").id, $0.tag(named: "museums")) }
func offer(_ text: String) { print(text) }
// EXAMPLE
expect(store.read { $0.notes[id]?.text } == "Closed on Mondays" && outcome.leftOut.isEmpty)

// MARK: NotebookSources.nextNoteID
var notebook = Notebook(sources: .fixed())
// EXAMPLE
expect(try [notebook.addNote(text: "a").id, notebook.addNote(text: "b").id] == [1000, 1001])

// MARK: Notebook.merge(_:policy:)
var other = Notebook(sources: .fixed())
try other.addNote(text: "A walk")
let bytes = try other.vesperJSON()
let store = Store(Notebook(sources: .fixed()))
// EXAMPLE
expect(report.addedNotes.count == 1 && store.read { $0.notes.count } == 1)

// MARK: ForeignContent
let bytes = Array("text,tags\r\nA walk,Paris\r\n".utf8)
let store = Store(Notebook(sources: .fixed()))
// EXAMPLE
expect(printed.hasPrefix("1 0\n"))

// MARK: ForeignNote
let store = Store(Notebook(sources: .fixed()))
// EXAMPLE
expect(store.read { $0.notes(tagged: "paris").map(\.text) } == ["A walk"])

// MARK: ImportProgress
let content = try ForeignContent(csv: Array("text\r\nA walk\r\n".utf8))
let store = Store(Notebook(sources: .fixed()))
// EXAMPLE
expect(printed.hasSuffix("1 of 1\n"))

// MARK: NoteFolderReport
var notebook = Notebook(sources: .fixed())
try notebook.addNote(text: "A walk")
let folder = folder.appending(path: "export")
// EXAMPLE
expect(printed == "1\n")

// MARK: NoteFolderFormat
let folder = folder.appending(path: "export")
var notebook = Notebook(sources: .fixed())
try notebook.addNote(text: "A walk")
_ = try notebook.export(toFolder: folder, as: .markdown)
// EXAMPLE
expect(content.notes.map(\.text) == ["A walk"])

// MARK: TagName
// EXAMPLE
expect(printed == "Rue de Rivoli\nrue de rivoli\n" && TagName(" ") == nil)

// MARK: ImportReport
var notebook = Notebook(sources: .fixed())
let notes = [ForeignNote(text: "A walk", place: "diary.txt:1")]
// EXAMPLE
expect(printed == "1 added, 0 skipped\n")

// MARK: Notebook
// EXAMPLE
expect(printed == "[\"Café de Flore\"]\n")

// MARK: Note
var notebook = Notebook(sources: .fixed())
let id = try notebook.addNote(text: "Flore\nhttps://example.com/flore").id
// EXAMPLE
expect(printed == "Flore [\"https://example.com/flore\"] []\n")

// MARK: Attachment
var notebook = Notebook(sources: .fixed())
// EXAMPLE
expect(notebook.notes.first?.attachments == ["flore.jpg"])

// MARK: SyncContent
var (notebook, other) = (Notebook(sources: .fixed()), Notebook(sources: .fixed()))
let lastSync = Date.distantPast
try notebook.addNote(text: "A walk")
// EXAMPLE
expect(other.notes.count == 1)
