// The surroundings of the examples of the testing library.

// MARK: SimulatedDisk
typealias Library = Dashboard
let url = URL(filePath: "/store.json")
// EXAMPLE
expect(printed.contains("rename") || printed.contains("open"))

// MARK: SimulatedDisk.crashingAtEveryCall(startingFrom:)
let url = URL(filePath: "/store.json")
var launches = 0
func useApp(on disk: SimulatedDisk, _ flushed: inout Int) throws {
  launches += 1
  let store = try Store<Dashboard>.open(at: url, options: StoreOptions(log: { _ in }), on: disk)
  try store.write { try $0.posts.insert(Post(id: "1", title: "A walk")) }
  try store.closeAndWait()
  flushed = 1
}
// EXAMPLE
expect(launches > 10)

// MARK: verify(_:matches:record:)
let fixtures = URL(filePath: FileManager.default.currentDirectoryPath)
func importTutorial(into store: Store<Notebook>) throws { try store.write { try $0.addNote(text: "Welcome") } }
let shipped = Store(Notebook(sources: .fixed()))
try importTutorial(into: shipped)
try SnapshotFile.create(shipped.read { $0 }, as: .json, at: fixtures.appending(path: "tutorial.json"))
// EXAMPLE
try importsTheTutorial()
try SnapshotFile.write(SnapshotFile.encode(Notebook(), as: .json), to: fixtures.appending(path: "tutorial.json"))
var failure: FixtureFailure?
do { try importsTheTutorial() } catch { failure = error as? FixtureFailure }
expect(failure?.fixture.lastPathComponent == "tutorial.json")

// MARK: FixtureFailure
let store = try dashboard()
let fixture = url
try SnapshotFile.create(store.read { $0 }, as: .json, at: fixture)
try store.write { try $0.posts.update("1") { $0.title = "Ink" } }
// EXAMPLE
expect(printed == "1 changed\n")

// MARK: ManualClock
let disk = SimulatedDisk()
let url = URL(filePath: "/store.json")
// EXAMPLE
expect(printed == "false\n")
