/// One way to call a command: its operands in their order, and its options.
struct CommandForm {
  let operands: [Parameter]
  let options: [Parameter]

  init(_ parameters: [Parameter]) {
    operands = parameters.filter { !$0.isOption }
    var options = parameters.filter(\.isOption)
    if operands.contains(where: \.isStore) {
      let help =
        "the store, if its operand is left out; by default that of $SNAPSHOT_STORE, "
        + "which counts only if there are too few operands"
      options.append(.option(Parameter.storeOption, "FILE", .store, help))
    }
    self.options = options
    if operands.count(where: \.isRepeated) > 1 { fatalError("two operands are repeated") }
    let names = parameters.flatMap(\.names)
    if Set(names).count < names.count { fatalError("two parameters have one name: \(names)") }
  }

  /// The forms of a command.
  static func all(of command: any StoreCommand.Type) -> [CommandForm] { command.forms.map { CommandForm($0) } }

  /// The words that are fixed in this form.
  var words: [String] { operands.filter { $0.form == .word }.map(\.name) }

  /// The operands without the store, if another source names it.
  func operands(withoutStore isNamedElsewhere: Bool) -> [Parameter] {
    isNamedElsewhere ? operands.filter { !$0.isStore } : operands
  }

  func option(_ name: String) -> Parameter? { options.first { $0.names.contains(name) } }

  /// The parameters in the order of the help: the words and operands, then the options.
  var parameters: [Parameter] { operands + options }

  /// The arguments as the synopsis has them. Each piece stays in one line.
  var usage: [String] {
    var pieces = operands.map(Self.usage)
    var options = options[...]
    while let first = options.popFirst() {
      // The operand stands for it.
      if first.name == Parameter.storeOption, operands.contains(where: \.isStore) { continue }
      var group = [first]
      while let next = options.first, group.allSatisfy({ $0.excludes(next) }) { group.append(options.removeFirst()) }
      let words = group.map { $0.name + ($0.form == .option ? " \($0.shownValue)" : "") }.joined(separator: "|")
      pieces.append((first.isRequired ? words : "[\(words)]") + (first.isRepeated ? "…" : ""))
    }
    return pieces
  }

  private static func usage(_ operand: Parameter) -> String {
    let name = operand.name + (operand.isRepeated && operand.isRequired ? "…" : "")
    if operand.isRequired, !operand.isStore { return name }
    return "[\(name)]" + (operand.isRepeated && !operand.isRequired ? "…" : "")
  }
}

extension Parameter {
  /// The value of an option in the synopsis: its name, or its words.
  var shownValue: String { value.choices.map { $0.map(\.value).joined(separator: "|") } ?? valueName }

  func excludes(_ other: Parameter) -> Bool { excluded.contains(other.name) || other.excluded.contains(name) }
}
