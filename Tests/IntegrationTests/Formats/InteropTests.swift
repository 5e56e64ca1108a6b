import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Other tools read our files, and we read theirs. Skipped silently without the tool.
@Suite struct InteropTests {
  static let files = [Fixture.all[0], Fixture.all[1]].flatMap { fixture in FileFormat.allCases.map { (fixture, $0) } }

  /// Prints, as JSON, every note of a file as Python reads it. Texts that XML cannot hold are in base64.
  private static let reader = """
    import base64, json, plistlib, sys
    path = sys.argv[1]
    data = open(path, "rb").read()
    if path.endswith(".ndjson"):
        lines = [json.loads(line) for line in data.decode().split("\\n") if line]
        notes = [line["record"] for line in lines if line.get("table") == "notes"]
    else:
        notes = (json.loads(data) if path.endswith(".json") else plistlib.loads(data))["notes"]
    mark = "data:text/plain;charset=utf-8;base64,"
    def text(value):
        if path.endswith(".plist") and value.startswith(mark): return base64.b64decode(value[len(mark):]).decode()
        return value[1:] if path.endswith("plist") and is_null(value) else value
    def is_null(value):
        return value.endswith("null") and set(value[:-4]) == {"$"}
    print(json.dumps([[str(note["id"]), text(note["text"]), [text(tag) for tag in note["tags"]], note["archived"]] for note in notes]))
    """

  @Test(.enabled(if: Tool("python3") != nil)) func pythonReadsOurFiles() {
    each(Self.files) { (fixture: Fixture, format: FileFormat) throws in
      let output = try python(Self.reader, [fixture.url(format).path])
      let seen = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[Any]])
      let notes = Array(try fixture.make().notes)
      #expect(seen.count == notes.count)
      for (seen, note) in zip(seen, notes) {
        expectExactly(seen[0] as? String, "\(note.id)", "id")
        expectExactly(seen[1] as? String, note.text, "text of \(note.id)")
        expectExactly(seen[2] as? [String], note.tags, "tags of \(note.id)")
        #expect(seen[3] as? Bool == note.archived)
      }
    }
  }

  /// Reads a JSON file of ours and writes it in another way, without the checksum.
  private static let writer = """
    import datetime, json, plistlib, sys
    kind, source, target = sys.argv[1:]
    document = json.load(open(source))
    del document["snapshot"]["checksum"]
    def dates(value):
        for table in ["notes", "deletedNotes", "tags"]:
            for record in value[table]:
                for key in list(record):
                    if key.endswith("Date"):
                        record[key] = datetime.datetime.fromisoformat(record[key].replace("Z", "+00:00")).replace(tzinfo=None)
        return value
    if kind == "ndjson":
        with open(target, "w") as file:
            print(json.dumps({"snapshot": document.pop("snapshot")}), file=file)
            for table, records in document.items():
                for record in records:
                    print(json.dumps({"table": table, "record": record}), file=file)
    elif kind == "compact":
        open(target, "w").write(json.dumps(document, separators=(",", ":"), ensure_ascii=False) + "\\n")
    elif kind == "indented":
        open(target, "w").write(json.dumps(document, indent=2, sort_keys=True))
    else:
        formats = {"xml": plistlib.FMT_XML, "binary": plistlib.FMT_BINARY}
        plistlib.dump(dates(document), open(target, "wb"), fmt=formats[kind])
    """

  @Test(.enabled(if: Tool("python3") != nil)) func weReadPythonsFiles() {
    each(["ndjson", "compact", "indented", "xml", "binary"]) { (kind: String) throws in
      let folder = try TemporaryFolder()
      let notebook = try wholeSeconds()
      let source = folder.url("source.json")
      try Data(try SnapshotFile.encode(notebook, as: .json)).write(to: source)
      let target = folder.url("target")
      _ = try python(Self.writer, [kind, source.path, target.path])
      #expect(try SnapshotSummary(of: try SnapshotFile.readBytes(at: target)).checksum == .absent)
      let read = try SnapshotFile.read(Notebook.self, at: target)
      expectExactly(read.allRecords, notebook.allRecords)
    }
  }

  @Test(.enabled(if: Tool("plutil") != nil)) func plutilFindsNoFault() {
    each(Self.files.filter { !$0.1.isJSON }) { (fixture: Fixture, format: FileFormat) throws in
      // Its reader fails at every text that begins with `$null`.
      if fixture.name == "awkward" && format == .xml { return }
      let result = try #require(try Tool("plutil")?.run(["-lint", fixture.url(format).path]))
      #expect(result.status == 0, "\(result.output)")
    }
  }

  /// A converted file still has its checksum, but not at its place. As an edit it is accepted.
  @Test(.enabled(if: Tool("plutil") != nil)) func weReadWhatPlutilConverts() {
    each([FileFormat.xml, .binary], ["xml1", "binary1"]) { (format: FileFormat, target: String) throws in
      let folder = try TemporaryFolder()
      let notebook = try wholeSeconds()
      let source = folder.url("source")
      try Data(try SnapshotFile.encode(notebook, as: format)).write(to: source)
      let result = try #require(
        try Tool("plutil")?.run(["-convert", target, "-o", folder.url("x").path, source.path]))
      #expect(result.status == 0, "\(result.output)")
      let bytes = try SnapshotFile.readBytes(at: folder.url("x"))
      expectRefusal(of: bytes, .checksumMismatch)
      let read = try SnapshotFile.decode(
        Notebook.self, from: bytes, options: ReadOptions(acceptsChecksumMismatch: true))
      expectExactly(read.allRecords, notebook.allRecords)
    }
  }

  /// The plain notebook, with its one fractional date replaced: tools cut such dates in XML.
  private func wholeSeconds() throws -> Notebook {
    var notebook = try Notebook.plain()
    for note in notebook.notes {
      try notebook.setSortDate(Date(timeIntervalSinceReferenceDate: Double(note.id)), of: note.id)
    }
    return notebook
  }

  private func python(_ program: String, _ arguments: [String]) throws -> String {
    let result = try #require(try Tool("python3")?.run(["-c", program] + arguments))
    #expect(result.status == 0, "\(result.output)")
    return result.output
  }
}

extension FileFormat {
  fileprivate var isJSON: Bool { self == .json || self == .ndjson }
}
