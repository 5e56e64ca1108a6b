import Foundation
import SnapshotStore

/// Checks a file for every kind of fault.
struct CheckCommand<Root: Model>: StoreCommand {
  static var name: String { "check" }
  static var summary: String { "Check a file: format, checksum, every record, every reference" }
  static var parameters: [Parameter] {
    [
      .store("FILE", "a store or a dump, or - for standard input"),
      .flag(
        "--accept",
        """
        write the file anew, with the right checksum and in the library's layout, because it was edited by hand. What
        the rules of the model compute is computed again. A file with any other fault stays as it is
        """
      ),
    ]
  }
  static var discussion: String {
    """
    Prints one line per problem and exits with 1. Without a problem it prints one line and exits with 0. It also names
    the tables and keys that this program does not know, which every command keeps. It lists the copies of the file that
    a sync service may have made in a conflict. A property that a rule of the model would change is a problem too.

    --accept does not migrate: a file of an older version keeps its version. “{tool} migrate” migrates it.

    A file of another schema is checked as far as that is possible without its types: its format, its checksum, and that
    no table has an id twice.
    """
  }

  private let file: String
  private let accepts: Bool
  private let tool: String

  init(_ arguments: inout Arguments) throws {
    tool = arguments.toolName
    accepts = arguments.flag("--accept")
    file = arguments.operand("FILE")
    if accepts { try FileName.requireFile(file, "only a file can be written anew: leave --accept out") }
  }

  func run() throws {
    let input = try FileInput(file)
    try check(input, as: input.model(for: Root.self))
  }

  private func check<Known: Model>(_ input: FileInput, as type: Known.Type) throws {
    let (summary, content): (SnapshotSummary, SnapshotContent<Known>)
    do {
      summary = try SnapshotSummary(of: input.bytes, path: input.name)
      content = try SnapshotFile.decodeContent(
        from: input.bytes, path: input.name, options: ReadOptions(acceptsChecksumMismatch: true))
    } catch {
      try report([CommandFailure(error).message] + wayOut(of: error))
      throw ExitCode.found
    }
    let name = input.name.forTerminal
    let (settled, stale) = computedAgain(content)
    let faults = content.value.allViolations() + content.repeatedIDs()
    if accepts, faults.isEmpty, let settled, summary.checksum != .ok || !stale.isEmpty,
      settled.value.allViolations().isEmpty
    {
      return try accept(settled, stale.map { "\(name): \($0)" }, input, summary)
    }
    var problems = faults.map { "\(name): \($0)" }
    problems += stale.map { "\(name): \(settled == nil ? "" : "a rule would change ")\($0)" }
    if settled != nil, !stale.isEmpty {
      problems.append("\(name): “\(tool) check \(name) --accept” computes it again, once nothing else is wrong")
    }
    if summary.checksum == .mismatch {
      let accept = "“\(tool) check \(name) --accept” renews it"
      let advice =
        problems.isEmpty ? "if you edited the file, \(accept)" : "repair the rest in an editor, then \(accept)"
      problems.append("\(name): the checksum does not match the content; \(advice)")
    }
    if !problems.isEmpty {
      try report(problems + journalNote())
      throw ExitCode.found
    }
    let checksum = summary.checksum == .absent ? ", no checksum" : ""
    try report(
      ["\(name): ok, \(Counts.text(of: content))\(checksum)"] + notes(on: summary, content, of: input) + journalNote())
  }

  /// The content with what the rules of the model make of it, and the differences. Nil if a rule refuses it, with the
  /// reason.
  private func computedAgain<Known: Model>(
    _ content: SnapshotContent<Known>
  ) -> (content: SnapshotContent<Known>?, stale: [String]) {
    // Without types there are no rules.
    if Known.self is UntypedModel.Type { return (content, []) }
    do {
      let settled = try content.settledAnew()
      return (settled, try ModelDifference(from: content, to: settled).records.map(Self.words))
    } catch {
      return (nil, ["a rule refuses it: \(CommandFailure(error).message)"])
    }
  }

  /// A difference in one line, such as `orders 1, total: 12 → 21`.
  private static func words(_ record: RecordDifference) -> String {
    let place = "\(record.table) \(record.id)".trimmingCharacters(in: .whitespaces)
    let properties = record.lines.dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
    return ([place] + properties).joined(separator: ", ").forTerminal
  }

  private func accept<Known: Model>(
    _ content: SnapshotContent<Known>, _ computed: [String], _ input: FileInput, _ summary: SnapshotSummary
  ) throws {
    let isOlder = !(Known.self is UntypedModel.Type) && summary.version < Known.schema.version
    let encoded =
      isOlder
      ? try SnapshotFile.encode(
        SnapshotFile.decodeContent(
          UntypedModel.self, from: input.bytes, options: ReadOptions(acceptsChecksumMismatch: true)),
        as: summary.format)
      : try SnapshotFile.encode(content, as: summary.format)
    // Another program may have changed the file in the meantime.
    let url = try FileName.url(file)
    try CommandFailure.creating {
      try waitingForOthers { try SnapshotFile.replace(input.bytes, with: encoded, at: url, waitingAtMost: $0) }
    }
    let name = input.name.forTerminal
    let version = isOlder ? "as version \(summary.version); “\(tool) migrate \(name)” migrates it" : nil
    try report(
      ["\(name): accepted\(version.map { " \($0)" } ?? ""), \(Counts.text(of: content))"]
        + (isOlder ? [] : computed.map { "\($0) (computed again)" }) + notes(on: summary, content, of: input)
        + journalNote())
  }

  /// What is said of a journal beside the file.
  private func journalNote() -> [String] {
    let name = FileName.shown(file).forTerminal
    let note = JournalNote(beside: file)?.text(name) { changes in
      "the journal beside it has \(changes) of it; “\(tool) fold \(name)” writes them to the file"
    }
    return note.map { ["\(name): note: \($0)"] } ?? []
  }

  /// Advice for an unreadable file. In a file of another program or version there is nothing to recover.
  private func wayOut(of error: any Error) -> [String] {
    let code = (error as? SnapshotError)?.code
    if FileName.isStream(file) || code == .wrongSchema || code == .newerVersion || code == .olderVersion { return [] }
    let name = FileName.shown(file).forTerminal
    let generations = (try? SnapshotFile.generations(of: FileName.url(file)))?.count ?? 0
    let ways =
      (isSalvageable ? ["“\(tool) recover \(name) -o OUT” saves what can be read"] : [])
      + (generations == 0 ? [] : ["“\(tool) generations \(name)” lists \(Counts.text(generations, "older version"))"])
    return ways.isEmpty ? [] : ["\(name): note: \(ways.joined(separator: ", and "))"]
  }

  /// Whether salvage finds anything.
  private var isSalvageable: Bool {
    guard let url = try? FileName.url(file) else { return false }
    return (try? Salvaged<Root>(ofFileAt: url)) != nil || (try? Salvaged<UntypedModel>(ofFileAt: url)) != nil
  }

  /// Notes on content that is valid but may be unintended.
  private func notes<Known: Model>(
    on summary: SnapshotSummary, _ content: SnapshotContent<Known>, of input: FileInput
  ) -> [String] {
    let isTyped = !(Known.self is UntypedModel.Type)
    let present = Set(summary.tables.map(\.name) + summary.values)
    let missing =
      isTyped ? Known.schema.fields.filter { !$0.isFlattened }.map(\.name).filter { !present.contains($0) } : []
    let tables = missing.map { "there is no table “\($0)”; it is taken as empty" }
    let unknown = isTyped ? content.unknownKeys.map { "unknown to this program, and kept: \($0)" } : []
    let copies = FileName.isStream(file) ? [] : ConflictedCopy.all(beside: file, with: input)
    let notes =
      tables + unknown
      + copies.map { "“\($0.name.forTerminal)” \($0.note.replacing("“merge”", with: "“\(tool) merge”"))" }
      + (isTyped ? [] : [Self.unchecked(summary)])
    return notes.map { "\(FileName.shown(file).forTerminal): note: \($0)" }
  }

  /// What cannot be checked without types.
  private static func unchecked(_ summary: SnapshotSummary) -> String {
    let checked = summary.checksum == .absent ? "structure is" : "structure and checksum are"
    return "\(checked) right; the types of “\(summary.schema.forTerminal)” are not known here"
  }

  private func report(_ lines: [String]) throws {
    for line in lines { try Terminal.output.print(line + "\n") }
  }
}

extension SnapshotContent {
  /// The tables without types in which an id occurs twice, as violations.
  fileprivate func repeatedIDs() -> [String] {
    guard let untyped = self as? SnapshotContent<UntypedModel> else { return [] }
    return untyped.tables.compactMap { table in
      var seen: Set<ExactText> = []
      guard let key = table.idKey else { return nil }
      let ids = table.values.lazy.compactMap { $0.record?[key] }.map(\.json)
      guard let id = ids.first(where: { !seen.insert(ExactText($0)).inserted }) else { return nil }
      return "\(table.name.forTerminal) \(id.forTerminal): the id occurs twice"
    }
  }
}
