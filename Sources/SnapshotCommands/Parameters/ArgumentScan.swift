/// The options and operands in the arguments of a command. O(arguments).
struct ArgumentScan {
  /// The values by the long names of options. A flag has an empty value for each time that it is given.
  private(set) var options: [String: [String]] = [:]
  private(set) var operands: [String] = []

  /// - Throws: ``ArgumentError`` for an unknown option, and for a missing or needless value.
  init(_ arguments: [String], _ forms: [CommandForm]) throws {
    var known: [String: Parameter] = [:]
    for option in forms.flatMap(\.options) {
      for name in option.names {
        if let other = known[name], other.form != option.form { fatalError("\(name) is a flag and an option") }
        known[name] = known[name] ?? option
      }
    }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        return
      }
      guard Self.looksLikeOption(argument) else {
        operands.append(argument)
        continue
      }
      let (name, attached) = Self.parts(of: argument)
      guard let option = known[name] else { throw Self.unknown(argument, name, Array(known.keys)) }
      options[option.name, default: []].append(try Self.value(of: option, argument, attached, &rest))
    }
  }

  /// A lone `-` is an operand: standard input.
  static func looksLikeOption(_ argument: String) -> Bool { argument.hasPrefix("-") && argument != "-" }

  /// The name of an option, and the value in the same argument: `--name=value`, `-nvalue`.
  static func parts(of argument: String) -> (name: String, value: String?) {
    // By scalars: a value may begin with a mark that combines with the character before it.
    let scalars = argument.unicodeScalars
    if argument.hasPrefix("--") {
      guard let end = scalars.firstIndex(of: "=") else { return (argument, nil) }
      return (String(scalars[..<end]), String(scalars[scalars.index(after: end)...]))
    }
    let end = scalars.index(scalars.startIndex, offsetBy: 2, limitedBy: scalars.endIndex) ?? scalars.endIndex
    return (String(scalars[..<end]), end == scalars.endIndex ? nil : String(scalars[end...]))
  }

  private static func value(
    of option: Parameter, _ argument: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws -> String {
    if option.form == .flag {
      if attached != nil { throw ArgumentError("\(option.name) has no value; leave out what follows it") }
      return ""
    }
    if let attached { return attached }
    guard let next = rest.first, !looksLikeOption(next) else {
      throw ArgumentError("\(argument) needs a value; one that begins with a dash is given as --option=VALUE")
    }
    return rest.removeFirst()
  }

  private static func unknown(_ argument: String, _ name: String, _ known: [String]) -> ArgumentError {
    let near = name.hasPrefix("--") ? NearName.of(name, in: known.filter { $0.hasPrefix("--") }.sorted()) : nil
    return ArgumentError(
      "unknown option “\(argument.forTerminal)”"
        + (near.map { "; did you mean “\($0)”?" } ?? "; if it is no option, put -- before it"))
  }
}
