// The libFuzzer target of `Scripts/faults/fuzz-readers`, which compiles the libraries with the fuzzer too.
//
// The environment names the reader. Each input is read in every possible way. The ways must agree, and a value that was
// read must be the same after writing it. A broken rule traps, and libFuzzer reports the input.

import Foundation

@testable import SnapshotNotebook
@testable import SnapshotStore

/// The fuzzed reader: a format, salvage of any of them, or the journal.
private let reader = ProcessInfo.processInfo.environment["SNAPSHOT_FUZZ_READER"] ?? "json"

/// The usual limits, except for the expansion of a small list: a million values per input take too long.
private let limits: ReadLimits = {
  var limits = ReadLimits()
  limits.unfolding = 20_000
  return limits
}()

/// Reads one input; called by libFuzzer for each.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if reader == "salvage" {
    FuzzedSalvage(bytes: bytes).check()
    return 0
  }
  if reader == "journal" {
    FuzzedJournal(input: bytes, limits: limits).check()
    return 0
  }
  // An input for another reader is not worth keeping.
  guard let format = FileFormat(rawValue: reader), (try? FileFormat.open(bytes))?.0 == format else {
    return -1
  }
  FuzzedFile(bytes: bytes, format: format).check()
  return 0
}

/// A file, read in every possible way.
private struct FuzzedFile {
  let bytes: [UInt8]
  let format: FileFormat

  func check() {
    let direct = read(threads: 1)
    let general = readGenerally()
    switch (direct, general) {
    case (.success(let a), .success(let b)):
      if written(a) != written(b) { fatalError("the ways read different values") }
    case (.failure(let a), .failure(let b)): if a.code != b.code { fatalError("the ways differ: \(a) / \(b)") }
    case (.success, .failure(let error)): fatalError("only the direct way accepts; the other says \(error)")
    case (.failure(let error), .success): fatalError("only the general way accepts; the other says \(error)")
    }
    // Several threads are slow to start, so they read only some inputs.
    if bytes.count % 16 == 0 { checkParts(direct) }
    _ = try? UntypedDocument(reading: bytes, limits: limits)
    let summary = try? SnapshotSummary(of: bytes, limits: limits)
    switch direct {
    case .success(let value):
      if summary == nil { fatalError("a file that can be read has no summary") }
      checkReturn(of: value)
    case .failure(let error): check(error)
    }
  }

  private func read(threads: Int) -> Result<Notebook, SnapshotError> {
    do throws(SnapshotError) {
      var limits = limits
      if threads > 1 { limits.partSize = 64 }
      let document = try Document(bytes, limits: limits, threads: threads)
      let options = DecodingOptions(unknownKeys: .refuse, acceptsChecksumMismatch: true, threads: threads)
      return .success(try SnapshotCoder.decode(Notebook.self, from: document, options).root)
    } catch {
      return .failure(error)
    }
  }

  /// Reads every record through the untyped tree and `Codable`.
  private func readGenerally() -> Result<Notebook, SnapshotError> {
    do throws(SnapshotError) {
      let document = try Document(bytes, limits: limits)
      let schema = Notebook.schema
      guard document.header.schema == schema.name else { throw SnapshotError(.wrongSchema, "") }
      if document.header.version > schema.version { throw SnapshotError(.newerVersion, "") }
      var decoding = GeneralDecoding(source: document.source)
      try document.reader.readTables(&decoding)
      return .success(try decoding.finish())
    } catch {
      return .failure(error)
    }
  }

  private func checkParts(_ one: Result<Notebook, SnapshotError>) {
    switch (one, read(threads: 2)) {
    case (.success(let a), .success(let b)): if written(a) != written(b) { fatalError("threads read different values") }
    case (.failure(let a), .failure(let b)): if "\(a)" != "\(b)" { fatalError("threads differ: \(a) / \(b)") }
    default: fatalError("threads differ in what they accept")
    }
  }

  /// The value that was read can be written, is read back, and gives the same bytes again.
  private func checkReturn(of value: Notebook) {
    do {
      let bytes = written(value)
      let again: Notebook = try SnapshotFile.decode(from: bytes, options: ReadOptions(threads: 1))
      if written(again) != bytes { fatalError("what was written does not come back") }
      try checkConversion(of: bytes)
    } catch {
      fatalError("a value that was read cannot be written and read again: \(error)")
    }
  }

  /// A written file is the same after a way through another format without its types.
  private func checkConversion(of bytes: [UInt8]) throws {
    let options = ReadOptions(threads: 1)
    let content = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes, options: options)
    let other = try SnapshotFile.encode(content, as: format == .xml ? .json : .xml, threads: 1)
    let again = try SnapshotFile.decodeContent(UntypedModel.self, from: other, options: options)
    if try SnapshotFile.encode(again, as: format, threads: 1) != bytes { fatalError("a conversion changes values") }
  }

  /// An error is one line without control characters, and its place is in the file.
  private func check(_ error: SnapshotError) {
    let text = error.description
    if text.unicodeScalars.contains(where: \.isUnsafeInMessage) { fatalError("an unsafe character in: \(text)") }
    if text.unicodeScalars.count > 1_000 { fatalError("a message of \(text.unicodeScalars.count) characters") }
    guard let position = error.position else { return }
    if !(0...bytes.count).contains(position.offset) { fatalError("a place outside of the file: \(error)") }
    if format.isText, position != SnapshotError.Position(offset: position.offset, inText: bytes) {
      fatalError("line and column are not those of the offset: \(error)")
    }
  }

  /// The value in the present format: values that differ in any bit are written differently.
  private func written(_ value: Notebook) -> [UInt8] {
    guard let encoded = try? SnapshotFile.encode(value, as: format, threads: 1) else { fatalError("unencodable") }
    return encoded
  }
}

/// A damaged file and its salvaged content.
private struct FuzzedSalvage {
  let bytes: [UInt8]

  func check() {
    // With unknown content, which salvage keeps too.
    let strict: SnapshotContent<Notebook>? = try? SnapshotFile.decodeContent(
      from: bytes, options: ReadOptions(limits: limits, acceptsChecksumMismatch: true, threads: 1))
    guard let salvaged = try? Salvaged<Notebook>(of: bytes, limits: limits) else {
      if strict != nil { fatalError("a file that can be read cannot be salvaged") }
      return
    }
    if strict == nil, salvaged.isComplete { fatalError("a file that cannot be read lost nothing") }
    // Without a checksum, an unknown table may be one of the schema's with a damaged name. Salvage then reads its
    // records.
    if let strict, !strict.unknownKeys.contains(where: { $0.key == nil }) {
      let hasOnlyFileLosses = salvaged.losses.allSatisfy { $0.kind == .file || $0.kind == .repair }
      if !hasOnlyFileLosses { fatalError("a file that can be read lost records") }
      if salvaged.isComplete, json(strict) != json(salvaged.content) { fatalError("another value than reading gives") }
    }
    checkValue(salvaged.value)
    for loss in salvaged.losses { check(loss) }
  }

  /// The tables are valid, and the value can be written and read. A file without damage keeps what is wrong in it.
  private func checkValue(_ value: Notebook) {
    let domain = Set((value.violations() + Notebook.schema.invalidRecords(of: value)).map(\.description))
    let violations = value.allViolations().filter { !domain.contains($0) }
    if !violations.isEmpty { fatalError("\(violations)") }
    let bytes = json(value)
    guard let again: Notebook = try? SnapshotFile.decode(from: bytes, options: ReadOptions(threads: 1)),
      json(again) == bytes
    else {
      fatalError("what was salvaged cannot be read again")
    }
  }

  private func check(_ loss: SalvageLoss) {
    let text = loss.description
    if text.unicodeScalars.contains(where: \.isUnsafeInMessage) { fatalError("an unsafe character in: \(text)") }
    if text.unicodeScalars.count > 1_000 { fatalError("a message of \(text.unicodeScalars.count) characters") }
    if loss.excerpt.utf8.count > 3 * SalvageLoss.excerptLimit { fatalError("a long excerpt") }
    guard let position = loss.position else { return }
    if !(0...bytes.count).contains(position.offset) { fatalError("a place outside of the file: \(loss)") }
    if position.line != nil, position != SnapshotError.Position(offset: position.offset, inText: bytes) {
      fatalError("line and column are not those of the offset: \(loss)")
    }
  }

  private func json(_ value: Notebook) -> [UInt8] { json(SnapshotContent(value)) }

  private func json(_ content: SnapshotContent<Notebook>) -> [UInt8] {
    guard let encoded = try? SnapshotFile.encode(content, as: .json, threads: 1) else { fatalError("unencodable") }
    return encoded
  }
}

/// Decodes every record from its item; never directly.
private struct GeneralDecoding: DocumentVisitor {
  let source: SourceText
  private var attachments: [Attachment] = []
  private var deletedNotes: [DeletedNote] = []
  private var notes: [Note] = []
  private var tags: [Tag] = []

  init(source: SourceText) { self.source = source }

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    switch name {
    case "attachments": attachments += try all(&records, name)
    case "deletedNotes": deletedNotes += try all(&records, name)
    case "notes": notes += try all(&records, name)
    case "tags": tags += try all(&records, name)
    default: throw SnapshotError(.unknownKey, "an unknown table", position: source.position(offset))
    }
  }

  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) {
    if !["attachments", "deletedNotes", "notes", "tags"].contains(name) {
      throw SnapshotError(.unknownKey, "an unknown value", position: source.position(offset))
    }
    throw SnapshotError(.invalidValue, "expected an array of records", position: source.position(try read().offset))
  }

  private func all<Value: Record>(_ records: inout some TableReader, _ name: String) throws(SnapshotError) -> [Value] {
    var values: [Value] = []
    while let item = try records.next() {
      do {
        values.append(try ItemDecoder.decode(Value.self, from: item))
      } catch {
        throw SnapshotError.decoding(error, of: item, at: name, in: source)
      }
    }
    return values
  }

  func finish() throws(SnapshotError) -> Notebook {
    var notebook = Notebook()
    notebook.attachments = try Table(attachments)
    notebook.deletedNotes = try Table(deletedNotes)
    notebook.notes = try Table(notes)
    notebook.tags = try Table(tags)
    return notebook
  }
}
