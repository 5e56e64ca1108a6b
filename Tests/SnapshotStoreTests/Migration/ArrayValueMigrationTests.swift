import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A file does not distinguish an array from a table, so a migration has the same effect on it in every format.
@Suite struct ArrayValueMigrationTests {
  struct Song: Record {
    let id: Int
    var title = ""
  }

  struct Settings: Codable, Equatable, Sendable { var size = 1 }

  struct First: Model {
    var recent: [Song] = [Song(id: 3, title: "c"), Song(id: 1, title: "a")]
    var settings = Settings()
    var songs = Table<Song>()
    static let schema = Schema<First>(
      "player", version: 1,
      Field("recent", \.recent),
      Field("settings", \.settings),
      Field("songs", \.songs))
  }

  private static func tree(_ format: FileFormat, _ change: @escaping @Sendable (inout MigrationTree) throws -> Void)
    throws
    -> MigrationTree
  {
    var first = First()
    try first.songs.insert(Song(id: 5, title: "e"))
    let document = try Document(SnapshotFile.encode(first, as: format), limits: ReadLimits())
    return try MigrationRun(steps: [Migration("step", to: 2, change)], source: document.source).tree(of: document)
  }

  @Test func aTableIsRenamed() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let tree = try Self.tree(format) {
        try $0.renameTable("recent", to: "latest")
        try $0["latest"].change { $0["title"] = "changed" }
      }
      #expect(tree["latest"].count == 2 && tree["recent"].count == 0 && tree[value: "recent"] == nil)
      #expect(try tree["latest"].records().map { $0["title"]?.text } == ["changed", "changed"])
      #expect(Set(tree.tableNames) == ["latest", "songs"] && tree.values.map(\.name) == ["settings"])
    }
  }

  @Test func aTableIsDropped() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let tree = try Self.tree(format) { #expect($0.dropTable("recent")?.count == 2) }
      #expect(tree.tableNames == ["songs"] && tree.values.map(\.name) == ["settings"])
    }
  }

  @Test func aValueThatIsSetIsRenamedAsATable() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let tree = try Self.tree(format) {
        $0[value: "new"] = [1, 2]
        try $0.renameTable("new", to: "other")
        $0[value: "songs"] = nil
        try $0.moveRecords(from: "recent", to: "songs")
      }
      #expect(tree[value: "other"]?.array?.count == 2 && tree[value: "new"] == nil)
      #expect(tree["songs"].count == 2)
    }
  }

  /// No name is given twice, and no existing content is lost.
  @Test func noTableIsRenamedOverAValue() {
    each(FileFormat.allCases, ["settings", "recent"]) { (format: FileFormat, name: String) throws in
      let error = #expect(throws: SnapshotError.self) {
        try Self.tree(format) { try $0.renameTable("songs", to: name) }
      }
      #expect(error?.message.contains("already exists") == true, "\(error.map { "\($0)" } ?? "")")
    }
  }

  /// A table may be renamed to a name outside the schema, but never to that of the header.
  @Test func nothingIsCalledAsTheHeader() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      struct Second: Model {
        static let schema = Schema<Second>(
          "player", version: 2,
          migrations: [Migration("r", to: 2) { try $0.renameTable("recent", to: "snapshot") }])
      }
      let bytes = try SnapshotFile.encode(First(), as: format)
      let error = #expect(throws: SnapshotError.self) {
        let content = try SnapshotFile.decodeContent(Second.self, from: bytes)
        _ = try SnapshotFile.encode(content, as: format)
      }
      #expect(error?.message.contains("“snapshot”") == true, "\(error.map { "\($0)" } ?? "")")
    }
  }
}
