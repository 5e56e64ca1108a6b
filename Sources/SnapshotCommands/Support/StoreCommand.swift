/// A command of a tool: its parameters and its action.
///
/// ``StoreCommands`` finds a command by its name, checks the arguments, and turns an error into a message and an exit
/// code. The help, the completions of shells and the manual come from the parameters. A tool may have commands of its
/// own beside those for every model:
///
/// ```swift
/// struct TitlesCommand: StoreCommand {
///   static let name = "titles"
///   static let summary = "Print the titles of all posts"
///   static let parameters: [Parameter] = [.store("STORE", "the store")]
///
///   private let session: StoreSession<Dashboard>
///
///   init(_ arguments: inout Arguments) throws {
///     session = try StoreSession(&arguments)
///   }
///
///   func run() throws {
///     for post in try session.read().posts {
///       try Terminal.output.print(post.title.forTerminal + "\n")
///     }
///   }
/// }
/// ```
public protocol StoreCommand {
  /// The name of the command.
  static var name: String { get }
  /// A summary in one line without a full stop.
  static var summary: String { get }
  /// The operands in their order, and the options. A command with several forms leaves them out.
  static var parameters: [Parameter] { get }
  /// The forms of the command, each with its parameters. By default it has one.
  static var forms: [[Parameter]] { get }
  /// What the help says beyond the parameters: paragraphs with an empty line between them. Lines that begin with a
  /// space stay as they are, such as examples. `{tool}` stands for the name of the tool. By default it is empty.
  static var discussion: String { get }

  /// Takes the arguments, which fit one of the forms. Takes every parameter of that form.
  ///
  /// - Throws: ``CommandFailure`` for wrong usage that the parameters cannot tell.
  init(_ arguments: inout Arguments) throws

  /// Runs the command.
  ///
  /// - Throws: any error. ``ExitCode`` ends the tool without a message.
  func run() throws
}

extension StoreCommand {
  /// No parameters.
  public static var parameters: [Parameter] { [] }
  /// One form with all parameters.
  public static var forms: [[Parameter]] { [parameters] }
  /// Nothing.
  public static var discussion: String { "" }
}
