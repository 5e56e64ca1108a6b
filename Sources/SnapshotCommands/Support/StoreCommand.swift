/// A command of a tool: its options and operands, and its action.
///
/// ``StoreCommands`` finds a command by its name, shows its help, and turns an error of it into a message and an exit
/// code. A tool may have commands of its own beside those for every model:
///
/// ```swift
/// struct TitlesCommand: StoreCommand {
///   static let name = "titles"
///   static let summary = "Print the titles of all posts"
///   static let usage = "STORE"
///   static let details = "STORE  the store"
///
///   private let session: StoreSession<Dashboard>
///
///   init(_ arguments: inout Arguments) throws {
///     session = try StoreSession(path: try arguments.operand("STORE"))
///     try arguments.finish()
///   }
///
///   func run() throws {
///     for post in try session.read().posts { try Terminal.output.print(post.title.forTerminal + "\n") }
///   }
/// }
/// ```
public protocol StoreCommand {
  /// The name of the command.
  static var name: String { get }
  /// A summary in one line without a full stop.
  static var summary: String { get }
  /// The arguments in the synopsis, after the name. `{tool}` stands for the name of the tool.
  static var usage: String { get }
  /// The help text: options, operands, results. `{tool}` stands for the name of the tool.
  static var details: String { get }

  /// Reads the arguments. Must end with ``Arguments/finish()``.
  ///
  /// - Throws: ``CommandFailure`` for wrong usage.
  init(_ arguments: inout Arguments) throws

  /// Runs the command.
  ///
  /// - Throws: any error. ``ExitCode`` ends the tool without a message.
  func run() throws
}
