public import Foundation
import SnapshotStore

/// The arguments of a command, checked against its parameters.
///
/// A command takes what it needs by the names of its parameters. A name that none of its forms has is a programmer
/// error. Options may stand anywhere before `--`, and before the command. Their values are `--name VALUE`,
/// `--name=VALUE`, `-n VALUE` or `-nVALUE`.
public struct Arguments {
  let command: any StoreCommand.Type
  let tool: Tool
  /// The values by the names of the parameters. A flag has empty values.
  private let values: [String: [String]]
  private let form: CommandForm
  /// The store operand that is given although the environment names a store.
  private let storeBesidesVariable: String?
  /// Whether only the environment names the store.
  let isStoreFromEnvironment: Bool
  /// The names of all forms, each with whether it was taken.
  private var isTaken: [String: Bool]

  /// Checks arguments, and chooses the form of the command that they have.
  ///
  /// - Throws: ``CommandFailure`` for wrong usage.
  init(
    _ arguments: [String], command: any StoreCommand.Type, tool: Tool,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    self.command = command
    self.tool = tool
    let forms = CommandForm.all(of: command)
    let usage = { (message: String) in CommandFailure.usage(message, of: command, tool) }
    do {
      let scan = try ArgumentScan(arguments, forms)
      let store = scan.options[Parameter.storeOption]?.first ?? StorePath.inEnvironment(environment)
      let choice = try FormChoice.of(forms, scan, hasStore: store != nil)
      form = choice.form
      let values = try choice.values(scan, store: store)
      self.values = values
      let operand = form.operands.first(where: \.isStore).flatMap { values[$0.name]?.first }
      let isVariableUsed = choice.isStoreElsewhere || StorePath.inEnvironment(environment) == nil
      storeBesidesVariable = isVariableUsed ? nil : operand
      isStoreFromEnvironment = choice.isStoreElsewhere && scan.options[Parameter.storeOption] == nil
    } catch let error as ArgumentError {
      throw usage(error.message)
    }
    isTaken = Dictionary(forms.flatMap(\.parameters).map { ($0.name, false) }) { first, _ in first }
  }

  /// The arguments of the program. Arguments that are not UTF-8 are refused, because decoding would change them.
  static func commandLine() throws -> [String] {
    let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return try arguments.dropFirst().compactMap { argument in
      guard let argument else { return nil }
      guard let text = String(validatingCString: argument) else {
        throw CommandFailure.usage("“\(String(cString: argument).forTerminal)” is not UTF-8")
      }
      return text
    }
  }

  static func asksForHelp(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  /// The name of the tool, for advice in messages.
  public var toolName: String { tool.name }

  /// The fixed word of the form that the arguments have; nil if it has none.
  public mutating func word() -> String? {
    for word in form.words { isTaken[word] = true }
    return form.words.first
  }

  /// Whether a flag is given.
  public mutating func flag(_ name: String) -> Bool { !take(name).isEmpty }

  /// The value of an option.
  public mutating func option(_ name: String) -> String? { take(name).first }

  /// The values of an option that may be given several times.
  public mutating func options(_ name: String) -> [String] { take(name) }

  /// The value of an operand that every form has, or of one that is known to be given.
  public mutating func operand(_ name: String) -> String {
    guard let value = take(name).first else { fatalError("\(name) may be missing in \(command.name)") }
    return value
  }

  /// The value of an operand; nil if it was left out, or if the form does not have it.
  public mutating func optionalOperand(_ name: String) -> String? { take(name).first }

  /// The values of an operand that may be given several times.
  public mutating func operands(_ name: String) -> [String] { take(name) }

  /// The number that is the value of a parameter.
  public mutating func number(_ name: String) -> Int? {
    // The range has been checked.
    take(name).first.flatMap { Int($0) }
  }

  /// The day that is the value of a parameter: when it begins.
  public mutating func day(_ name: String) -> Date? { take(name).first.flatMap(Day.start) }

  /// The value whose raw value is the word of a parameter.
  public mutating func value<Value>(_ name: String) -> Value?
  where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    take(name).first.map { word in
      guard let value = Value(rawValue: word) else { fatalError("\(name) has other words than \(Value.self)") }
      return value
    }
  }

  /// The path of the store, from an operand, `--store` or the environment.
  ///
  /// - Throws: ``CommandFailure`` if there is none.
  mutating func store() throws -> String {
    if let operand = form.operands.first(where: \.isStore), let path = take(operand.name).first { return path }
    guard let path = take(Parameter.storeOption).first else {
      throw usage("no store: give --store FILE, or set \(StorePath.variable)")
    }
    return path
  }

  /// The failure for wrong usage of the command. It names the command and its help.
  public func usage(_ message: String) -> CommandFailure { .usage(message, of: command, tool) }

  /// The error with a way out, if a missing file may be meant as something else. A user who has set the variable may
  /// mean the operand after the store.
  func advising(_ error: SnapshotError) -> SnapshotError {
    guard error.code == .fileNotFound, error.advice == nil, let operand = storeBesidesVariable,
      error.shownInFolder.path == operand
    else { return error }
    var error = error
    error.advice =
      "It is taken as the store, since there are enough operands. For the store of \(StorePath.variable), add "
      + "--store \"$\(StorePath.variable)\"."
    return error
  }

  /// The parameters that are given, and that the command has not taken.
  var untaken: [String] {
    values.keys.filter { isTaken[$0] == false && $0 != Parameter.storeOption }.sorted()
  }

  private mutating func take(_ name: String) -> [String] {
    if isTaken[name] == nil { fatalError("\(name) is no parameter of \(command.name)") }
    isTaken[name] = true
    return values[name] ?? []
  }
}

/// The store that a command takes from the environment.
enum StorePath {
  static let variable = "SNAPSHOT_STORE"

  /// The path; nil if the variable is not set, or empty.
  static func inEnvironment(_ environment: [String: String]) -> String? {
    environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Arguments that do not fit the parameters of a command.
struct ArgumentError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

extension CommandFailure {
  fileprivate static func usage(_ message: String, of command: any StoreCommand.Type, _ tool: Tool) -> CommandFailure {
    let help = "see “\(tool.name) \(command.name) --help”"
    return .usage("\(command.name): \(message)\(message.hasSuffix("?") ? " (\(help))" : "; \(help)")")
  }
}
