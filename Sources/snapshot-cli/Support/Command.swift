/// A command: its options and operands, and its action. Each command is a file under `Commands`.
protocol Command {
  /// The name of the command.
  static var name: String { get }
  /// A summary in one line without a full stop.
  static var summary: String { get }
  /// The arguments in the synopsis, after the name.
  static var usage: String { get }
  /// The help text: options, operands, results.
  static var details: String { get }

  /// Reads the arguments. Must end with `finish`.
  init(_ arguments: inout ArgumentScanner) throws

  func run() throws
}
