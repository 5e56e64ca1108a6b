import Foundation
public import SnapshotStore

/// A command line tool for the stores of one model.
///
/// ```swift
/// @main struct DashTool {
///   static func main() { StoreCommands<Dashboard>(name: "dash").main() }
/// }
/// ```
///
/// The tool has the commands `check`, `convert`, `diff`, `dump`, `generations`, `info`, `merge`, `migrate`, `recover`
/// and `restore`, with the types, validations and migrations of the model. `diff` and `merge` serve as drivers for git.
/// `tables`, `rows` and `get` show records, and `set`, `put`, `edit` and `remove` change them. `watch` prints changes
/// as they are saved, and `wait-for-change` waits for the next one. `fold` writes the journal of a store to its file.
/// `export sql` writes a store for SQLite or PostgreSQL. `completions` prints a script for bash, zsh or fish, and
/// `manual` writes a manual page for each command.
///
/// A file of another schema is read without its types; see `UntypedModel`.
public struct StoreCommands<Root: Model> {
  private let tool: Tool

  /// A tool.
  ///
  /// - Parameters:
  ///   - name: the name of the program, as users call it.
  ///   - version: the text of `--version`.
  ///   - summary: what the tool is for, in one line without a full stop.
  ///   - commands: the commands of the tool's own. They come first in the help. One with the name of a general command
  ///     replaces it.
  ///   - notes: text for the end of the help.
  public init(
    name: String, version: String = "", summary: String = "Stores in one plain file, JSON or a property list",
    commands: [any StoreCommand.Type] = [], notes: String = ""
  ) {
    let names = Set(commands.map { $0.name })
    let all = commands + Self.general.filter { !names.contains($0.name) }
    tool = Tool(name: name, version: version, summary: summary, notes: notes, commands: all)
  }

  /// The commands for every model.
  static var general: [any StoreCommand.Type] {
    [
      DumpCommand<Root>.self, RestoreCommand<Root>.self, ConvertCommand<Root>.self, CheckCommand<Root>.self,
      InfoCommand.self, RecoverCommand<Root>.self, GenerationsCommand<Root>.self, MergeCommand<Root>.self,
      DiffCommand<Root>.self, MigrateCommand<Root>.self, FoldCommand<Root>.self, TablesCommand.self, RowsCommand.self,
      GetCommand.self,
      SetCommand<Root>.self, PutCommand<Root>.self, RemoveCommand<Root>.self,
      EditRecordCommand<Root>.self, WatchCommand.self, WaitForChangeCommand.self, ExportCommand<Root>.self,
      CompletionsCommand.self,
      ManualCommand.self,
    ]
  }

  /// Runs the command in the arguments of the process, and ends the process with its exit code.
  public func main() -> Never {
    // A file that exceeds the user's size limit is then an error, as a full disk is. The signal would end the program
    // and leave temporary files behind.
    signal(SIGXFSZ, SIG_IGN)
    do {
      try Tool.$runningName.withValue(tool.name) { try run(try Arguments.commandLine()) }
    } catch let exit as ExitCode {
      exit.exit()
    } catch {
      let failure = CommandFailure(error)
      Terminal.error.printLine("\(tool.name): \(failure.message)")
      failure.exitCode.exit()
    }
    exit(0)
  }

  private func run(_ arguments: [String]) throws {
    if arguments.first == CompleteRequest.name, !tool.commands.contains(where: { $0.name == CompleteRequest.name }) {
      let lines = CompleteRequest(Array(arguments.dropFirst()), tool: tool).lines
      return try Terminal.output.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }
    let (name, rest) = tool.split(arguments)
    let asksForHelp = Arguments.asksForHelp(arguments)
    if arguments.first == "--version" { return try Terminal.output.print("\(tool.name) \(tool.version)\n") }
    guard let name else {
      if asksForHelp { return try printHelp(for: nil) }
      if arguments.isEmpty {
        Terminal.error.printLine(ToolHelp(tool: tool, width: TextLayout.helpWidth).text)
        throw ExitCode.usage
      }
      throw CommandFailure.usage("there is no command; “\(tool.name) --help” lists them")
    }
    if name == "help" { return try printHelp(for: rest.first { !ArgumentScan.looksLikeOption($0) }) }
    let command = try tool.command(name)
    if asksForHelp { return try printHelp(for: name) }
    var scanner = try Arguments(rest, command: command, tool: tool)
    let ready = try command.init(&scanner)
    assert(scanner.untaken.isEmpty, "\(name) does not take \(scanner.untaken)")
    do {
      try ready.run()
    } catch let error as SnapshotError {
      throw scanner.advising(error)
    }
  }

  private func printHelp(for name: String?) throws {
    let width = TextLayout.helpWidth
    let text =
      try name.map { CommandHelp(command: try tool.command($0), tool: tool, width: width).text }
      ?? ToolHelp(tool: tool, width: width).text
    try Terminal.output.print(text + "\n")
  }
}
