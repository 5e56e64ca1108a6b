/// A manual page: of the tool, or of one of its commands. It says what `--help` says.
struct ManualPage {
  let tool: Tool
  /// The date in the footer, `2026-01-31`.
  let date: String

  /// The name of a page without its section.
  func name(of command: (any StoreCommand.Type)?) -> String { tool.name + (command.map { "-\($0.name)" } ?? "") }

  /// All pages, by the names of their files.
  var pages: [(file: String, text: String)] {
    [("\(tool.name).1", overview)]
      + tool.commands.map { ("\(name(of: $0)).1", page(of: $0)) }
  }

  private func begin(_ command: (any StoreCommand.Type)?, _ summary: String) -> Roff {
    var roff = Roff()
    let version = tool.version.isEmpty ? tool.name : "\(tool.name) \(tool.version)"
    roff.request("TH", Roff.escaped(name(of: command).uppercased()), "1", date, version, "User Commands")
    // A command that is hyphenated cannot be typed.
    roff.request("nh")
    roff.request("ad", "l")
    roff.request("SH", "NAME")
    roff.line("\(Roff.escaped(name(of: command))) \\- \(Roff.escaped(tool.filled(summary)))")
    roff.request("SH", "SYNOPSIS")
    return roff
  }

  // MARK: A command

  private func page(of command: any StoreCommand.Type) -> String {
    var roff = begin(command, command.summary)
    let forms = CommandForm.all(of: command)
    for (index, form) in forms.enumerated() {
      if index > 0 { roff.request("br") }
      roff.line(([Roff.bold("\(tool.name) \(command.name)")] + form.usage.map(Self.synopsis)).joined(separator: " "))
    }
    roff.request("SH", "DESCRIPTION")
    roff.words(tool.filled(command.summary) + ".")
    roff.blocks(tool.filled(command.discussion))
    let entries = HelpEntry.all(of: forms)
    if !entries.isEmpty { roff.request("SH", "OPTIONS") }
    for entry in entries { add(entry, to: &roff) }
    end(&roff, seeAlso: [tool.name])
    return roff.text
  }

  /// The names of options are bold, and everything that stands for a value is italic.
  private static func synopsis(_ piece: String) -> String {
    var result = ""
    var word = ""
    func flush() {
      if !word.isEmpty {
        let isValue = word.allSatisfy { $0.isUppercase || "=-_".contains($0) } && !word.hasPrefix("-")
        result += isValue ? Roff.italic(word) : Roff.bold(word)
      }
      word = ""
    }
    for character in piece {
      if "[]|… ".contains(character) {
        flush()
        // A piece of the synopsis stays in one line.
        result += character == " " ? "\\ " : Roff.escaped(String(character))
      } else {
        word.append(character)
      }
    }
    flush()
    return result
  }

  private func add(_ entry: HelpEntry, to roff: inout Roff) {
    roff.request("TP")
    roff.line(Self.synopsis(entry.term))
    roff.words(tool.filled(entry.text))
    if entry.choices.isEmpty { return }
    roff.request("RS")
    for choice in entry.choices {
      roff.request("TP")
      roff.line(Roff.bold(choice.value))
      roff.words(choice.help.isEmpty ? "\u{2014}" : choice.help)
    }
    roff.request("RE")
  }

  // MARK: The tool

  private var overview: String {
    var roff = begin(nil, tool.summary)
    roff.line("\(Roff.bold(tool.name)) \(Roff.italic("COMMAND")) [\(Roff.italic("ARGUMENTS"))]")
    roff.request("SH", "DESCRIPTION")
    roff.words(tool.filled(tool.summary) + ".")
    roff.request("PP")
    roff.words(ToolHelp.storeNote)
    if !tool.notes.isEmpty { roff.blocks(tool.filled(tool.notes)) }
    roff.request("SH", "COMMANDS")
    for command in tool.commands {
      roff.request("TP")
      roff.line(Roff.bold(command.name))
      roff.words(tool.filled(command.summary) + ".")
    }
    roff.request("SH", "OPTIONS")
    for (name, help) in [("--help, -h", "explain the tool, or a command"), ("--version", "print the version")] {
      roff.request("TP")
      roff.line(Self.synopsis(name))
      roff.words(help)
    }
    roff.request("SH", "ENVIRONMENT")
    for (name, help) in ToolHelp.variables {
      roff.request("TP")
      roff.line(Roff.bold(name))
      roff.words(help)
    }
    end(&roff, seeAlso: tool.commands.map { name(of: $0) })
    return roff.text
  }

  private func end(_ roff: inout Roff, seeAlso pages: [String]) {
    roff.request("SH", "EXIT STATUS")
    for (code, meaning) in ToolHelp.exitCodes {
      roff.request("TP")
      roff.line(Roff.bold("\(code)"))
      roff.words(meaning)
    }
    roff.request("SH", "SEE ALSO")
    roff.line(pages.map { "\(Roff.bold($0))(1)" }.joined(separator: ",\n"))
  }
}
