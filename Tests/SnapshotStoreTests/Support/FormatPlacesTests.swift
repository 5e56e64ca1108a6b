import Testing

@testable import TestSupport

/// One place returns the parts of a format, so a new format is a room and a case.
struct FormatPlacesTests {
  @Test func formatsAreToldApartOnce() throws {
    let modules = ["SnapshotStore", "SnapshotFolders", "SnapshotNotebook", "SnapshotCommands", "snapshot-cli"]
    let sources = Repository.sources.filter { modules.contains($0.module) }
    #expect(sources.contains { $0.path.hasSuffix("Check.swift") })
    let places = sources.flatMap { source in Self.places(in: source.words).map { "\(source.path): \($0)" } }
    #expect(places == ["SnapshotStore/Snapshot/FileFormat.swift: case .ndjson"])
  }

  @Test func whatTellsFormatsApart() {
    each([
      ("switch document.format { case .json: 1 default: 2 }", ["switch document.format"]),
      ("if source.format == .xml { }", ["format .xml"]), ("guard format != .binary else { }", ["format .binary"]),
      ("switch self { case .json: 1 case .ndjson: 2 }", ["case .ndjson"]),
      ("let a = [FileFormat.ndjson]", ["FileFormat .ndjson", "case .ndjson"]),
      ("switch form { case .json: 1 }; a.format.parts.name; b == c.format; d ?? .json; notebook.ndjson()", []),
    ]) { (text: String, places: [String]) in
      #expect(Self.places(in: SwiftWords.words(ofCode: text)) == places)
    }
  }

  /// The places where a source names a case of `FileFormat` to treat one format differently from another.
  ///
  /// Only this enum has a case `ndjson`, so the word finds a `switch` without a `default`.
  private static func places(in words: [Substring]) -> [String] {
    func isFormat(_ word: Substring) -> Bool { word == "format" || word == "FileFormat" }
    var places: [String] = []
    for index in words.indices {
      if words[index] == "switch", let end = words[index...].firstIndex(of: "{"), isFormat(words[end - 1]) {
        places.append("switch \(words[index + 1..<end].joined())")
      }
      guard index >= 2, words[index - 1] == "." else { continue }
      if isFormat(words[index - 2]), ["json", "xml", "binary", "ndjson"].contains(words[index]) {
        places.append("\(words[index - 2]) .\(words[index])")
      }
      // `notebook.ndjson()` writes lines for other programs.
      if words[index] == "ndjson", words[index - 2] != "notebook" { places.append("case .ndjson") }
    }
    return places
  }
}
