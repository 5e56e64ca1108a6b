/// The text of `--help` for a command, from its parameters.
struct CommandHelp {
  let command: any StoreCommand.Type
  let tool: Tool
  let width: Int

  var text: String {
    let forms = CommandForm.all(of: command)
    let parts = [usage(forms), TextLayout.filled(tool.filled(command.summary) + ".", width: width), entries(forms)]
    return (parts + [discussion]).filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func usage(_ forms: [CommandForm]) -> String {
    forms.enumerated().map { index, form in
      let first = (index == 0 ? "Usage: " : "       ") + "\(tool.name) \(command.name)"
      let indent = first.count + 1 > width / 2 ? 9 : first.count + 1
      return TextLayout.filled([first] + form.usage, indent: indent, width: width)
    }.joined(separator: "\n")
  }

  /// A list of the parameters. One that several forms share is listed once.
  private func entries(_ forms: [CommandForm]) -> String {
    let entries = HelpEntry.all(of: forms).map { ($0.term, tool.filled($0.text), $0.choices) }
    let widest = entries.map(\.0.displayWidth).filter { $0 <= 16 }.max() ?? 0
    let column = width < 60 ? 6 : 2 + max(widest, 4) + 2
    return entries.map { term, text, choices in
      let entry = TextLayout.entry("  " + term, text, column: column, width: width)
      let indent = String(repeating: " ", count: column + 2)
      let inner = column + 4 + (choices.map(\.value.displayWidth).max() ?? 0)
      let lines = choices.map { TextLayout.entry(indent + $0.value, $0.help, column: inner, width: width) }
      return ([entry] + lines).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private var discussion: String {
    var text = ""
    var isAfterParagraph = false
    for block in HelpBlock.of(tool.filled(command.discussion)) {
      switch block {
      case .paragraph(let words): text += (text.isEmpty ? "" : "\n\n") + TextLayout.filled(words, width: width)
      // An example follows the paragraph that announces it.
      case .lines(let lines): text += (isAfterParagraph ? "\n" : "\n\n") + lines.joined(separator: "\n")
      }
      if case .paragraph = block { isAfterParagraph = true } else { isAfterParagraph = false }
    }
    return text
  }
}

/// A parameter in the list of a help.
struct HelpEntry {
  let parameter: Parameter
  /// `--where, -w EXPR`, or `rename OLD NEW`.
  let term: String

  var text: String { parameter.help }

  /// The words with their descriptions; empty if the text says enough.
  var choices: [Candidate] {
    guard parameter.form != .word, let words = parameter.value.choices else { return [] }
    return words.contains { !$0.help.isEmpty } ? words : []
  }

  /// The parameters of all forms, each once, in their order. The option for the store comes last.
  static func all(of forms: [CommandForm]) -> [HelpEntry] {
    var known: Set<String> = []
    let all = forms.flatMap { form in
      form.parameters.filter { !$0.help.isEmpty }.map { HelpEntry(parameter: $0, term: term($0, in: form)) }
    }
    let stores = all.filter { $0.parameter.name == Parameter.storeOption }.prefix(1)
    return all.filter { $0.parameter.name != Parameter.storeOption && known.insert($0.term + "\n" + $0.text).inserted }
      + stores
  }

  private static func term(_ parameter: Parameter, in form: CommandForm) -> String {
    switch parameter.form {
    case .operand: return parameter.name
    case .flag, .option:
      let value = parameter.form == .option && parameter.value.choices == nil ? " \(parameter.valueName)" : ""
      return parameter.names.joined(separator: ", ") + value
    case .word:
      // The text of the word is also that of the operands without a text.
      let rest = form.operands.drop { $0.name != parameter.name }.dropFirst().prefix { $0.help.isEmpty }
      return ([parameter.name] + rest.map(\.name)).joined(separator: " ")
    }
  }
}
