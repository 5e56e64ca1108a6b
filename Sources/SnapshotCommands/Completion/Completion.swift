import Foundation
import SnapshotStore

/// What can stand at the end of an unfinished command line.
///
/// The hidden command `complete` prints it for the scripts of `completions`. It reads the store that the line names, if
/// it is not too large. It takes no lock, changes nothing, and finds nothing instead of failing.
struct Completion {
  let tool: Tool
  var environment: [String: String] = ProcessInfo.processInfo.environment

  /// The completions of a word.
  ///
  /// - Parameters:
  ///   - previous: the words between the name of the tool and the unfinished word, without quotes.
  ///   - current: the unfinished word up to the cursor. It may be empty.
  func reply(_ previous: [String], _ current: String) -> CompletionReply {
    let (name, arguments) = tool.split(previous)
    guard let name else { return replyBeforeCommand(previous, current) }
    if name == "help" { return arguments.isEmpty ? commands(current) : CompletionReply() }
    guard let command = tool.commands.first(where: { $0.name == name }) else { return CompletionReply() }
    return reply(PartialArguments(arguments, CommandForm.all(of: command)), current)
  }

  private func replyBeforeCommand(_ previous: [String], _ current: String) -> CompletionReply {
    let line = PartialArguments(previous, tool.commands.flatMap { CommandForm.all(of: $0) })
    if line.pending != nil || current.hasPrefix("--") && current.contains("=") { return reply(line, current) }
    guard current.hasPrefix("-") else { return commands(current) }
    let options = [Parameter.store, .flag("--help", "explain all commands"), .flag("--version", "print the version")]
    return CompletionReply(options.map { described($0) }, beginningWith: current)
  }

  /// An option with the first sentence of its help.
  private func described(_ option: Parameter) -> Completed {
    let help = tool.filled(option.help)
    let end = [". ", "; ", ":"].compactMap { help.range(of: $0)?.lowerBound }.min() ?? help.endIndex
    return Completed(option.name, String(help[..<end]))
  }

  private func commands(_ current: String) -> CompletionReply {
    let help = Completed("help", "Explain a command")
    return CompletionReply(
      tool.commands.map { Completed($0.name, tool.filled($0.summary)) } + [help], beginningWith: current)
  }

  private func reply(_ line: PartialArguments, _ current: String) -> CompletionReply {
    let store = line.given[Parameter.storeOption]?.last
    let hasStore = store != nil || StorePath.inEnvironment(environment) != nil
    let places = line.places(hasStore: hasStore)
    if let option = line.pending { return reply(option, current, line, places).withoutDashes }
    if !line.hasEndedOptions, current.hasPrefix("-") {
      let (name, value) = ArgumentScan.parts(of: current)
      guard current.hasPrefix("--"), let value else {
        return options(line, line.places(hasStore: hasStore, areFlagsOpen: true), current)
      }
      guard let option = line.option(name), option.form == .option else { return CompletionReply() }
      var reply = reply(option, value, line, places)
      reply.prefix = "\(name)="
      return reply
    }
    var reply = CompletionReply()
    for place in places {
      guard let parameter = place.next else { continue }
      reply.add(self.reply(parameter, current, line, [place]))
    }
    return line.hasEndedOptions ? reply : reply.withoutDashes
  }

  /// The options that may still be given.
  private func options(_ line: PartialArguments, _ places: [FormPlace], _ current: String) -> CompletionReply {
    let forms = places.isEmpty ? line.forms : places.map(\.form)
    let given = forms.flatMap(\.options).filter { line.given[$0.name] != nil }
    var known: Set<String> = []
    let options = forms.flatMap(\.options).filter { option in
      known.insert(option.name).inserted && (option.isRepeated || line.given[option.name] == nil)
        && !given.contains { $0.excludes(option) }
    }
    let help = Completed("--help", "explain the command")
    return CompletionReply(
      options.map { described($0) } + [help], beginningWith: current)
  }

  /// The values of a parameter.
  private func reply(
    _ parameter: Parameter, _ current: String, _ line: PartialArguments, _ places: [FormPlace]
  ) -> CompletionReply {
    let store =
      line.given[Parameter.storeOption]?.last ?? places.lazy.compactMap(\.store).first
      ?? StorePath.inEnvironment(environment)
    let source = StoreCandidates(store, home: environment["HOME"])
    let table = places.lazy.compactMap(\.table).first
    switch parameter.value {
    case .text, .number, .day: return CompletionReply()
    case .words(let words): return CompletionReply(words.map(Completed.init), beginningWith: current)
    case .store: return CompletionReply(files: .files(FileFormat.extensions))
    case .file(let extensions): return CompletionReply(files: .files(extensions))
    case .folder: return CompletionReply(files: .folders)
    case .table: return CompletionReply(source.tables(), beginningWith: current)
    case .recordID: return CompletionReply(source.ids(of: table, beginningWith: current), beginningWith: current)
    case .property: return CompletionReply(source.properties(of: table), beginningWith: current)
    case .assignment: return CompletionReply(source.properties(of: table, before: "="), beginningWith: current)
    case .valueAssignment: return CompletionReply(source.values(before: "="), beginningWith: current)
    case .condition: return CompletionReply(source.properties(of: table, before: " "), beginningWith: current)
    case .properties:
      // The names before the last comma, and the sign of a reversed order, stay.
      let end = current.lastIndex { $0 == "," }.map { current.index(after: $0) } ?? current.startIndex
      let start = current[end...].hasPrefix("-") ? current.index(after: end) : end
      let kept = String(current[..<start])
      let names = source.properties(of: table, before: "").map {
        Completed(kept + $0.value, $0.help, isFinished: false)
      }
      return CompletionReply(names, beginningWith: current)
    case .listed(let list):
      let candidates = source.path.flatMap { try? list($0) } ?? []
      return CompletionReply(candidates.map(Completed.init), beginningWith: current)
    }
  }
}

/// A value that completes a word.
struct Completed: Equatable {
  let value: String
  let help: String
  /// Whether a space may follow.
  let isFinished: Bool

  init(_ value: String, _ help: String = "", isFinished: Bool = true) {
    (self.value, self.help, self.isFinished) = (value, help, isFinished)
  }

  init(_ candidate: Candidate) { self.init(candidate.value, candidate.help) }
}

/// The completions of a word: values, and the files that the shell or the tool lists.
struct CompletionReply {
  enum Files: Equatable {
    /// Files with one of the extensions, or all without extensions.
    case files([String])
    case folders
  }

  /// More than a user reads.
  static let most = 1_000

  /// What stays before the values: `--store=`.
  var prefix = ""
  private(set) var values: [Completed] = []
  private(set) var files: Files?

  init(files: Files? = nil) { self.files = files }

  /// The values with a beginning. If there are none, upper and lower case count as equal. Shells show a value as it is,
  /// so one with a character that controls a terminal, or disguises its neighbours, is left out.
  init(_ values: [Completed], beginningWith text: String) {
    let typed = values.filter { $0.value.forTerminal.utf8.count == $0.value.utf8.count }
    let exact = typed.filter { $0.value.utf8.starts(with: text.utf8) }
    let lower = text.lowercased()
    let found = exact.isEmpty ? typed.filter { $0.value.lowercased().hasPrefix(lower) } : exact
    self.values = Array(found.prefix(Self.most))
  }

  /// The completions without values that would be taken as options.
  var withoutDashes: CompletionReply {
    var reply = self
    reply.values = values.filter { !ArgumentScan.looksLikeOption($0.value) }
    return reply
  }

  /// Adds the completions of another form of the command.
  mutating func add(_ other: CompletionReply) {
    values += other.values.filter { value in !values.contains { $0.value == value.value } }
    switch (files, other.files) {
    case (.files(let a)?, .files(let b)?):
      files = .files(a.isEmpty || b.isEmpty ? [] : a + b.filter { !a.contains($0) })
    default: files = files ?? other.files
    }
  }
}
