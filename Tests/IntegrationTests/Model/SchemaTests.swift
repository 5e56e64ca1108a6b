import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A schema names the tables of a model, and passes them to visitors.
struct SchemaTests {
  /// Records the tables that it visits.
  private struct Recorder: FieldVisitor {
    let root: Directory
    var visits: [String] = []

    mutating func visit<Value>(_ name: String, _ table: TablePath<Directory, Value>) {
      visits.append("\(name) \(Value.self) \(root[keyPath: table].count)")
    }

    mutating func visit<Value>(_ name: String, value: ValuePath<Directory, Value>) {}
  }

  /// Stops at one table.
  private struct Quitter: FieldVisitor {
    struct Stop: Error {}
    var visited: [String] = []

    mutating func visit<Value>(_ name: String, _ table: TablePath<Directory, Value>) throws(Stop) {
      visited.append(name)
      if name == "people" { throw Stop() }
    }

    mutating func visit<Value>(_ name: String, value: ValuePath<Directory, Value>) throws(Stop) {}
  }

  @Test func tablesAreVisitedInTheOrderOfTheSchema() throws {
    var directory = Directory()
    try directory.people.insert(Person(id: 1))
    var recorder = Recorder(root: directory)
    Directory.schema.visit(&recorder)
    #expect(recorder.visits == ["words Word 0", "people Person 1", "readings Reading 0"])
    #expect(Directory.schema.fields.map(\.name) == ["words", "people", "readings"])
    #expect(Directory.schema.name == "directory")
    #expect(Directory.schema.version == 1)
  }

  @Test func anErrorEndsTheVisit() {
    var quitter = Quitter()
    #expect(throws: Quitter.Stop.self) { try Directory.schema.visit(&quitter) }
    #expect(quitter.visited == ["words", "people"])
  }

  @Test func theNotebookKeepsItsFileLayout() {
    #expect(Notebook.schema.fields.map(\.name) == ["attachments", "deletedNotes", "notes", "tags"])
    #expect(Notebook.schema.name == "notebook")
    #expect(Notebook.schema.version == 1)
  }

  /// The check of a model names the table, and checks all of them.
  @Test func theCheckOfAModelNamesTheTable() {
    var directory = Directory()
    #expect(directory.allViolations() == [])
    directory.readings.tree.updateValue(RecordBox(Reading(id: 2)), forKey: 1)
    directory.words.tree.updateValue(RecordBox(Word(id: "b")), forKey: "a")
    #expect(
      directory.allViolations() == [
        "words: record “b” stands under “a”", "readings: record “2.0” stands under “1.0”",
      ])
  }

  @Test func aNameThatIsGivenTwiceIsNamed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Schema<Directory>(
        "directory", version: 1,
        Field("words", \.words),
        Field("people", \.people),
        Field("words", \.readings))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("the schema “directory” names two fields “words”"))
    #expect(!text.contains("versions"))
  }

  @Test func namesAndVersionsThatCannotBeTrap() async {
    await #expect(processExitsWith: .failure) {
      _ = Schema<Directory>("directory", version: 0, Field("words", \.words))
    }
    await #expect(processExitsWith: .failure) {
      _ = Schema<Directory>("directory", version: 1, Field("words", \.words), Field("words", \.people))
    }
    await #expect(processExitsWith: .failure) {
      _ = Schema<Directory>("directory", version: 1, Field("snapshot", \.words))
    }
  }
}
