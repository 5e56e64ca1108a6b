import Foundation
import SnapshotStore
import Testing

/// The examples of README.md, compiled and run. Each stands here between markers, line by line as in the README.
@Suite struct ReadmeExampleTests {
  @Test func notebook() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("notes.json")
    // example: notebook
    let store = try Store<Notebook>.open(at: url)  // .json or .plist; made if there is none
    let note = try store.write { notebook in  // one transaction: all of it, or nothing if it throws
      let paris = notebook.tag(named: "Paris")  // the one tag of that name, made if need be
      return try notebook.addNote(text: "Café de Flore", tags: [paris.id])
    }
    let titles = store.read { $0.notes(tagged: "paris").map(\.title) }

    let before = store.snapshot()  // the whole value, as it is now, for ever
    try store.write { try $0.setArchived(true, of: note.id) }

    try await store.flush()  // everything so far is in the file, and synced
    try await store.close()  // and others may open it for writing
    // end
    #expect(titles == ["Café de Flore"])
    #expect(before.value.notes[note.id]?.archived == false)
    let saved: Notebook = try SnapshotFile.read(at: url)
    #expect(saved.notes[note.id]?.archived == true)
    #expect(saved.allViolations() == [])
  }

  // example: dashboard
  struct Post: Record {  // any Codable, Equatable, Sendable, Identifiable struct
    let id: String
    var blogName: String
    var body: String
    var tags: [String]

    static let byTag = Index<Post, String>("tag", each: { $0.tags })
    static let indexes: [any RecordIndex<Post>] = [byTag]
  }

  struct Dashboard: Model {
    var posts = Table<Post>()

    static let schema = Schema<Dashboard>(name: "dashboard", version: 1) {
      Field("posts", \.posts)
    }
  }
  // pause

  @Test func dashboard() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("dashboard.plist")
    // resume

    let store = try Store<Dashboard>.open(at: url)
    try store.write { dashboard in
      try dashboard.posts.insert(Post(id: "1", blogName: "Flâneur", body: "A walk", tags: ["paris"]))
      try dashboard.posts.update("1") { $0.body += " by the river" }
    }
    let walks = store.read { Array($0.posts.records(in: Post.byTag, at: "paris")) }
    // end
    #expect(walks.map(\.body) == ["A walk by the river"])
    try store.closeAndWait()
    let saved: Dashboard = try SnapshotFile.read(at: url)
    #expect(saved.hasSameRecords(as: store.snapshot().value))
    #expect(saved.allViolations() == [])
  }

  @Test func changes() async throws {
    let store = Store<Dashboard>()
    let stream = store.changes
    try store.write { try $0.posts.insert(Post(id: "1", blogName: "b", body: "a", tags: [])) }
    try store.write { try $0.posts.update("1") { $0.body = "z" } }
    try store.write { $0.posts.remove("1") }
    try await store.close()
    var lines: [String] = []
    func print(_ words: String...) { lines.append(words.joined(separator: " ")) }
    // The README reads `store.changes` anew; here the stream was made before the changes.
    struct Recorded { let changes: AsyncStream<ChangeSet<Dashboard>> }
    await {
      let store = Recorded(changes: stream)
      // example: changes
      for await changeSet in store.changes {
        for change in changeSet.changes(in: \.posts) {
          switch change {
          case .inserted(let post): print("new:", post.id)
          case .updated(let before, let after): print("changed:", before.body, "→", after.body)
          case .removed(let post): print("gone:", post.id)
          }
        }
      }
      // end
    }()
    #expect(lines == ["new: 1", "changed: a → z", "gone: 1"])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func staging() async throws {
    let store = Store<Dashboard>()
    try store.write { try $0.posts.insert(Post(id: "1", blogName: "b", body: "A walk", tags: [])) }
    // example: staging
    let history = UndoHistory(of: store)  // every transaction from now on is a step
    let pad = store.scratchpad()  // a copy to edit for as long as it takes; O(1)
    try pad.write { try $0.posts.update("1") { $0.tags = ["walk"] } }
    try store.write { try $0.posts.update("1") { $0.body = "A long walk" } }
    try pad.commit()  // merged by property: both changes are in the store
    try history.undo()  // the tags are as they were, the text stays
    try await store.performBackground { dashboard in  // others need not wait for it, however long it takes
      try dashboard.posts.update("1") { $0.blogName = "Elsewhere" }
    }
    // end
    #expect(store.read { $0.posts["1"] } == Post(id: "1", blogName: "Elsewhere", body: "A long walk", tags: []))
  }

  @Test func live() async throws {
    let store = Store<Dashboard>()
    var bodies: [String] = []
    func show(_ list: LiveList<Post, String>) throws {
      bodies = list.map(\.body)
      try store.write { try $0.posts.insert(Post(id: "1", blogName: "b", body: "A walk", tags: ["paris"])) }
    }
    func animate(_ batch: ListBatch<Post, String>) throws {
      batch.inserts.forEach { bodies.insert(batch.after[$0].body, at: $0) }
      try store.closeAndWait()
    }
    // example: live
    let walks = store.observe(
      \.posts, where: { $0.tags.contains("paris") }, sortedBy: { $0.body }, sectionedBy: { $0.blogName }, limit: 50)
    for await update in walks {
      if let batch = update.batch { try animate(batch) } else { try show(update.list) }
    }
    // end
    #expect(bodies == ["A walk"])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func importing() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("posts.ndjson")
    let line = #"{"id":"1","blogName":"b","body":"A walk","tags":[]}"#
    try Data((line + "\n" + line.replacing("1", with: "2")).utf8).write(to: url)
    let store = Store<Dashboard>()
    // example: import
    let count = try await store.importRecords(RecordLines<Post>(at: url), into: \.posts) { print("\($0) posts so far") }
    // end
    #expect(count == 2 && store.read { $0.posts.map(\.id) } == ["1", "2"])
  }

  private enum Later {
    // example: migration
    struct Post: Record {
      let id: String
      var blog: String  // was “blogName”
      var text: String  // was “title” and “body”
      var isDraft: Bool  // is new
    }

    struct Dashboard: Model {
      var posts = Table<Post>()

      static let schema = Schema<Dashboard>(
        name: "dashboard", version: 3,
        migrations: [
          Migration("blogs are called blogs", to: 2) { try $0["posts"].rename("blogName", to: "blog") },
          Migration("title and body are one text", to: 3) { tree in
            try tree["posts"].change { post in
              let parts = [post.remove("title")?.text, post.remove("body")?.text]
              post["text"] = UntypedValue(parts.compactMap { $0 }.joined(separator: "\n\n"))
            }
          },
        ],
        defaults: [DefaultValue("posts", "isDraft", false)]
      ) {
        Field("posts", \.posts)
      }
    }
    // end
  }

  @Test func migration() throws {
    let text =
      #"{"snapshot":{"schema":"dashboard","version":1},"posts":[{"id":"1","blogName":"b","title":"t","body":"x"}]}"#
    let dashboard = try SnapshotFile.decode(Later.Dashboard.self, from: Array(text.utf8))
    #expect(dashboard.posts["1"] == Later.Post(id: "1", blog: "b", text: "t\n\nx", isDraft: false))
  }

  @Test(arguments: ["notebook", "dashboard", "changes", "staging", "live", "import", "migration", "fixtures"])
  func readmeHasTheseLines(_ name: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let other = root.appending(path: "Tests/SnapshotStoreTestingTests/FixtureTests.swift").path
    let source = try String(contentsOfFile: name == "fixtures" ? other : #filePath, encoding: .utf8)
    let block = try #require(readme.split(separator: "<!-- example: \(name) -->\n```swift\n").last)
    let inReadme = Self.lines(block[..<(try #require(block.range(of: "\n```"))).lowerBound])
      .filter { $0 != "import SnapshotStore" }
    let after = try #require(source.range(of: "// example: \(name)\n"))
    let end = try #require(source.range(of: "// end\n", range: after.upperBound..<source.endIndex))
    var code = String(source[after.upperBound..<end.lowerBound])
    if let pause = code.range(of: "// pause\n"), let resume = code.range(of: "// resume\n") {
      code.removeSubrange(pause.lowerBound..<resume.upperBound)
    }
    #expect(!inReadme.isEmpty)
    #expect(Self.lines(code) == inReadme)
  }

  private static func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { line in
      String(line).trimmingCharacters(in: .whitespaces).replacing(/\ +\/\//, with: "  //")
    }.filter { !$0.isEmpty }
  }
}
