import Foundation
import SnapshotStore

/// The entry point: finds the command, runs it, and turns an error into one line and an exit code.
@main
enum SnapshotCLI {
  static let version = "0.1.0"

  static var commands: [any Command.Type] {
    [
      DemoCommand.self, AddCommand.self, ListCommand.self, SearchCommand.self, ShowCommand.self, EditCommand.self,
      DeleteCommand.self, ArchiveCommand.self, UnarchiveCommand.self, TagCommand.self, UntagCommand.self,
      TagsCommand.self, ImportCommand.self, ExportCommand.self, DumpCommand.self, RestoreCommand.self,
      ConvertCommand.self, CheckCommand.self, InfoCommand.self, RecoverCommand.self, GenerationsCommand.self,
      MergeCommand.self, SyncCommand.self, DiffCommand.self, MigrateCommand.self,
    ]
  }

  static func main() {
    // A file that exceeds the user's size limit is then an error, as a full disk is. The signal would end the program
    // and leave temporary files behind.
    signal(SIGXFSZ, SIG_IGN)
    do {
      var arguments = try ArgumentScanner.commandLine()
      try run(&arguments)
    } catch let exit as ExitCode {
      exit.exit()
    } catch {
      let failure = Failure(error)
      Terminal.error.printLine("snapshot-cli: \(failure.message)")
      failure.exitCode.exit()
    }
  }

  private static func run(_ arguments: inout [String]) throws {
    guard let name = arguments.first else {
      Terminal.error.printLine(Help.overview)
      throw ExitCode.usage
    }
    arguments.removeFirst()
    switch name {
    case "--version": return try Terminal.output.print("snapshot-cli \(version)\n")
    case "--help", "-h", "help": return try printHelp(for: arguments.first)
    default: break
    }
    let command = try command(named: name)
    if ArgumentScanner.asksForHelp(arguments) { return try printHelp(for: name) }
    var scanner = ArgumentScanner(arguments, command: name)
    try command.init(&scanner).run()
  }

  private static func printHelp(for name: String?) throws {
    guard let name else { return try Terminal.output.print(Help.overview + "\n") }
    try Terminal.output.print(Help.text(of: command(named: name)) + "\n")
  }

  private static func command(named name: String) throws -> any Command.Type {
    if let command = commands.first(where: { $0.name == name }) { return command }
    throw Failure.usage("there is no command “\(name.forTerminal)”; “snapshot-cli --help” lists them")
  }
}
