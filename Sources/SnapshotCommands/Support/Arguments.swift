/// Takes options and operands from the arguments of a command. Options may stand anywhere before `--`.
///
/// Options with values are `--name VALUE`, `--name=VALUE`, or `-n VALUE`. A command reads its options first, then its
/// operands. It ends with ``finish()``, which refuses arguments that are left.
public struct Arguments {
  private let command: String
  private let tool: Tool
  private var options: [String]
  /// The operands after `--`, which may look like options.
  private var literals: [String]

  init(_ arguments: [String], command: String, tool: Tool) {
    self.command = command
    self.tool = tool
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    options = Array(arguments[..<end])
    literals = Array(arguments[end...].dropFirst())
  }

  /// The name of the tool, for advice in messages.
  public var toolName: String { tool.name }

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

  /// Whether an option without a value is given.
  public mutating func flag(_ name: String) -> Bool {
    let count = options.count
    options.removeAll { $0 == name }
    return options.count < count
  }

  /// The value of an option that may be given once.
  public mutating func option(_ names: String...) throws -> String? {
    let values = try values(names)
    if values.count > 1 { throw usage("\(names[0]) may be given once only") }
    return values.first
  }

  /// The values of an option that may be given several times.
  public mutating func options(_ names: String...) throws -> [String] { try values(names) }

  /// The value that has a word as its name.
  public func value<Value>(named word: String) throws -> Value
  where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    if let value = Value(rawValue: word) { return value }
    let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
    throw usage("“\(word.forTerminal)” is not one of \(names)")
  }

  /// The next operand.
  public mutating func operand(_ name: String) throws -> String {
    if let operand = try optionalOperand() { return operand }
    guard let option = options.first else { throw usage("\(name) is missing") }
    throw usage("\(name) is missing; if “\(option.forTerminal)” is meant, put -- before it")
  }

  /// The next operand, if there is one.
  public mutating func optionalOperand() throws -> String? {
    if let index = options.firstIndex(where: { !Self.looksLikeOption($0) }) { return options.remove(at: index) }
    return literals.isEmpty ? nil : literals.removeFirst()
  }

  /// The number of arguments that may be operands. The value of an option counts until the option is read.
  public var operandCount: Int { options.count { !Self.looksLikeOption($0) } + literals.count }

  /// All remaining operands, at least one.
  public mutating func operands(_ name: String) throws -> [String] {
    let first = try operand(name)
    return [first] + optionalOperands()
  }

  /// All remaining operands, which may be none.
  mutating func optionalOperands() -> [String] {
    // All are removed at once. Removing one moves all that follow, and there may be a hundred thousand.
    defer {
      options.removeAll { !Self.looksLikeOption($0) }
      literals.removeAll()
    }
    return options.filter { !Self.looksLikeOption($0) } + literals
  }

  /// Refuses arguments that are left.
  ///
  /// - Throws: ``CommandFailure`` that names the first of them.
  public func finish() throws {
    if let unknown = options.first(where: Self.looksLikeOption) {
      throw usage("unknown option “\(unknown.forTerminal)”")
    }
    if let extra = options.first ?? literals.first { throw usage("“\(extra.forTerminal)” is one argument too many") }
  }

  /// The failure for wrong usage of the command. It names the command and its help.
  public func usage(_ message: String) -> CommandFailure {
    .usage("\(command): \(message); see “\(tool.name) \(command) --help”")
  }

  private mutating func values(_ names: [String]) throws -> [String] {
    var values: [String] = []
    var others: [String] = []
    var index = 0
    while index < options.count {
      if names.contains(options[index]) {
        guard index + 1 < options.count, !Self.looksLikeOption(options[index + 1]) else {
          throw usage("\(options[index]) needs a value; one that begins with a dash is given as --option=VALUE")
        }
        values.append(options[index + 1])
        index += 2
      } else if let name = names.first(where: { $0.hasPrefix("--") && options[index].hasPrefix($0 + "=") }) {
        values.append(String(options[index].dropFirst(name.count + 1)))
        index += 1
      } else {
        others.append(options[index])
        index += 1
      }
    }
    options = others
    return values
  }

  /// A lone `-` is an operand: standard input.
  private static func looksLikeOption(_ argument: String) -> Bool {
    argument.hasPrefix("-") && argument != "-"
  }
}
