import Foundation

/// The tool that runs, with its commands and the texts of its help.
struct Tool {
  /// Stands for the name of the tool in the texts of help. No other text is searched for it.
  static let mark = "{tool}"
  /// The name of the tool whose command runs, for messages.
  @TaskLocal static var runningName = ProcessInfo.processInfo.processName

  let name: String
  let version: String
  let summary: String
  let notes: String
  let commands: [any StoreCommand.Type]

  /// - Throws: a failure for a name that no command has.
  func command(_ name: String) throws -> any StoreCommand.Type {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let near = NearName.of(name, in: commands.map { $0.name }).map { "; did you mean “\($0)”?" }
    throw CommandFailure.usage(
      "there is no command “\(name.shortForMessage)”" + (near ?? "; “\(self.name) --help” lists them"))
  }

  /// Moves the options before the name of the command behind it.
  ///
  /// - Returns: the name, which may be missing, and the arguments of the command.
  func split(_ arguments: [String]) -> (name: String?, arguments: [String]) {
    var index = 0
    while index < arguments.count, ArgumentScan.looksLikeOption(arguments[index]) {
      let (name, attached) = ArgumentScan.parts(of: arguments[index])
      index += attached == nil && takesValue(name) ? 2 : 1
    }
    guard index < arguments.count else { return (nil, arguments) }
    return (arguments[index], Array(arguments[..<index] + arguments[(index + 1)...]))
  }

  /// Whether an option of any command has a value.
  private func takesValue(_ name: String) -> Bool {
    commands.contains { command in
      command.forms.contains { form in
        CommandForm(form).options.contains { $0.form == .option && $0.names.contains(name) }
      }
    }
  }

  /// The text with the name of the tool.
  func filled(_ text: String) -> String { text.replacing(Self.mark, with: name) }
}
