/// A parameter of a command: an operand, an option with a value, a flag, or a fixed word.
///
/// ```swift
/// let parameters: [Parameter] = [
///   .store("STORE", "the store"),
///   .option("--limit", "N", .number(1...99), short: "n", "at most N titles"),
/// ]
/// ```
///
/// The help, the check of the arguments, the completions of shells and the manual are made from the parameters. In a
/// help text `{tool}` stands for the name of the tool.
public struct Parameter: Sendable {
  enum Form {
    /// A fixed word among the operands, such as `rename` in `tags rename`.
    case word
    case operand
    case option
    case flag
  }

  let form: Form
  /// `FILE`, `--format` or `rename`.
  let name: String
  /// A second name of an option, such as `-f`.
  private(set) var short: String?
  /// What stands for the value of an option in the help.
  let valueName: String
  let value: ParameterValue
  let help: String
  private(set) var isRequired = false
  private(set) var isRepeated = false
  private(set) var excluded: [String] = []
  /// Whether `--store` or the environment may stand for the operand.
  private(set) var isStore = false

  private init(
    _ form: Form, _ name: String, _ value: ParameterValue, short: Character? = nil, valueName: String = "",
    _ help: String, isRequired: Bool = false
  ) {
    if name.hasPrefix("--") != (form == .option || form == .flag) {
      fatalError("\(name): options begin with two dashes, others do not")
    }
    (self.form, self.name, self.valueName, self.value, self.help) = (form, name, valueName, value, help)
    self.short = short.map { "-\($0)" }
    self.isRequired = isRequired
  }

  /// An operand. It must be given, unless it is ``optional``.
  public static func operand(_ name: String, _ value: ParameterValue, _ help: String = "") -> Parameter {
    Parameter(.operand, name, value, help, isRequired: true)
  }

  /// The store that a command reads or changes, as an operand. Instead of it, `--store` or `$SNAPSHOT_STORE` may name
  /// the file. The variable counts only if there are fewer operands than the command needs.
  public static func store(_ name: String, _ help: String) -> Parameter {
    var parameter = operand(name, .store, help)
    parameter.isStore = true
    return parameter
  }

  /// The store of a command whose operands are something else: the option `--store`, or `$SNAPSHOT_STORE`.
  public static var store: Parameter {
    option(Self.storeOption, "FILE", .store, "the store; without it, that of $SNAPSHOT_STORE")
  }

  /// An option with a value. It may be given once, unless it is ``repeated``.
  ///
  /// - Parameters:
  ///   - name: the name, with two dashes.
  ///   - valueName: what stands for the value in the help, such as `N`.
  ///   - value: the kind of the value.
  ///   - short: the letter of its short name.
  ///   - help: what the option does.
  public static func option(
    _ name: String, _ valueName: String, _ value: ParameterValue, short: Character? = nil, _ help: String
  ) -> Parameter {
    Parameter(.option, name, value, short: short, valueName: valueName, help)
  }

  /// An option without a value.
  public static func flag(_ name: String, _ help: String) -> Parameter { Parameter(.flag, name, .text, help) }

  /// A fixed word among the operands. It chooses one of the forms of a command; see ``Arguments/word()``.
  public static func word(_ name: String, _ help: String) -> Parameter {
    Parameter(.word, name, .words([Candidate(name, help)]), help, isRequired: true)
  }

  /// The operand, which may be left out.
  public var optional: Parameter { changed { $0.isRequired = false } }
  /// The option, which must be given.
  public var required: Parameter { changed { $0.isRequired = true } }
  /// The parameter, which may be given several times.
  public var repeated: Parameter { changed { $0.isRepeated = true } }
  /// The option, which excludes others.
  public func excluding(_ names: String...) -> Parameter { changed { $0.excluded = names } }

  static let storeOption = "--store"

  private func changed(_ change: (inout Parameter) -> Void) -> Parameter {
    var parameter = self
    change(&parameter)
    return parameter
  }
}

extension Parameter {
  var isOption: Bool { form == .option || form == .flag }
  /// The names by which an option is given.
  var names: [String] { [name] + (short.map { [$0] } ?? []) }
}
