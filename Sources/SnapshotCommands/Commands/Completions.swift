import SnapshotStore

/// Prints the completions of the tool for a shell.
struct CompletionsCommand: StoreCommand {
  static let name = "completions"
  static let summary = "Print a script that completes commands, options and names in a shell"
  static let parameters: [Parameter] = [
    .operand("SHELL", .words(CompletionShell.self), "bash, zsh or fish")
  ]
  static let discussion = """
    The shell then completes commands, options, their words, files, and the names in a store: tables, properties, ids.
    zsh and fish show a description of each. Stores of more than 32 MB are not read for it.

    For bash, in ~/.bashrc:
      source <({tool} completions bash)

    For zsh, in ~/.zshrc, after compinit:
      source <({tool} completions zsh)

    For fish:
      {tool} completions fish >~/.config/fish/completions/{tool}.fish
    """

  private let shell: CompletionShell
  private let tool: String

  init(_ arguments: inout Arguments) throws {
    // It is required.
    shell = arguments.value("SHELL") ?? .bash
    tool = arguments.toolName
  }

  func run() throws { try Terminal.output.print(shell.script(for: tool)) }
}
