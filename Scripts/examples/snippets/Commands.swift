// The surroundings of the examples of commands.

// MARK: StoreCommand
// EXAMPLE
expect(TitlesCommand.name == "titles")

// MARK: BoundedInput
// EXAMPLE
expect(text == "A walk\n")

// MARK: CommandFailure
let (dashboard, id) = (try dashboard().read { $0 }, "7")
do {
  // EXAMPLE
  expect(post.id == "there is none")
} catch let failure as CommandFailure {
  expect(failure.message == "there is no post 7" && failure.exitCode == .noInput)
}

// MARK: CommandModel
struct Dashboard: Model {
  var posts = Table<Post>()
  static let schema = Schema("dashboard", version: 1, Field("posts", \Dashboard.posts))
}
// EXAMPLE
var model = Dashboard()
try model.posts.upsert(contentsOf: somePosts())
expect(model.title(of: "2", in: "posts") == "A walk" && Counts.text(of: SnapshotContent(model)) == "3 posts")

// MARK: Counts
// EXAMPLE
expect(printed == "1 post 2 posts\n")

// MARK: FileName
let path = "-"
do {
  // EXAMPLE
} catch let failure as CommandFailure {
  expect(failure.message == "standard input has no posts")
}

// MARK: ProgressBar
let (name, posts) = ("posts.csv", somePosts())
var checked = 0
func check(_ post: Post) throws { checked += 1 }
// EXAMPLE
expect(checked == 3)

// MARK: ProgressLine
let said = try Said(in: folder)
// EXAMPLE
expect(try said.text() == "recorded\n")

// MARK: Terminal
let said = try Said(in: folder)
// EXAMPLE
expect(try said.text() == "A walk\n")

// MARK: StyledText
let said = try Said(in: folder)
// EXAMPLE
expect(try said.text() == "Walks  3 posts\n")

// MARK: TextEdit
try SnapshotFile.create(dashboard().read { $0 }, as: .json, at: url)
let session = try StoreSession<Dashboard>(path: url.path)
let post = try session.read().posts["1"]!
// The editor is a program that adds a line.
setenv("VISUAL", "sh -c 'echo \"and ink\" >>\"$1\"' sh", 1)
// EXAMPLE
expect(try session.read().posts["1"]?.body.contains("and ink") == true)

// MARK: Parameter
// EXAMPLE
expect(parameters.count == 2)

// MARK: Candidate
// EXAMPLE
if case .words(let words) = order { expect(words.map(\.value) == ["newest", "oldest"]) }

// MARK: NearName
// EXAMPLE
expect(near == "title")

// MARK: FileInput
let path = url.path
try SnapshotFile.create(dashboard().read { $0 }, as: .json, at: url)
// EXAMPLE
expect(Counts.text(of: content) == "posts 3")

// MARK: EditRecordCommand
// EXAMPLE
expect(EditCommand.parameters.count == EditRecordCommand<Dashboard>.parameters.count)

// MARK: SQLExport
// EXAMPLE
expect(ExportCommand.parameters.count == SQLExport<Dashboard>.parameters.count)

// MARK: StoreSession
FileManager.default.changeCurrentDirectoryPath(folder.path)
try SnapshotFile.create(dashboard().read { $0 }, as: .json, at: url)
// EXAMPLE
expect(count == 3)
expect(try SnapshotFile.read(Dashboard.self, at: url).posts.isEmpty)
