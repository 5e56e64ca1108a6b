import SnapshotNotebook
import Testing

@testable import SnapshotCommands
@testable import TestSupport
@testable import snapshot_cli

/// All commands with each of their parameters.
@Suite struct ParameterTests {
  private static var commands: [any StoreCommand.Type] {
    SnapshotCLI.commands + StoreCommands<Notebook>.general
  }

  /// A value that a parameter may have.
  private static func value(of parameter: Parameter) -> String {
    switch parameter.value {
    case .words(let words): words.last?.value ?? ""
    case .number(let range): "\(range.lowerBound)"
    case .day: "2026-01-31"
    case .assignment: "a=1"
    case .condition: "a == 1"
    case .property, .properties: "a"
    default: "1"
    }
  }

  private static func arguments(_ parameter: Parameter) -> [String] {
    switch parameter.form {
    case .operand: [value(of: parameter)]
    case .word: [parameter.name]
    case .option: ["\(parameter.name)=\(value(of: parameter))"]
    case .flag: [parameter.name]
    }
  }

  /// What a command describes it also takes. The other direction is a trap: a command takes what it describes only.
  @Test func everyParameterIsTaken() throws {
    let tool = SnapshotCommands.Tool(name: "x", version: "", summary: "", notes: "", commands: Self.commands)
    var count = 0
    for command in Self.commands {
      for form in CommandForm.all(of: command) {
        let needed = form.parameters.filter { !$0.isOption || $0.isRequired }
        for parameter in form.parameters {
          let given =
            needed.filter { $0.name != parameter.name || !$0.isOption } + (parameter.isOption ? [parameter] : [])
          var arguments = try Arguments(
            given.filter { !($0.isStore && parameter.name == Parameter.storeOption) }.flatMap(Self.arguments),
            command: command, tool: tool, environment: [StorePath.variable: "e.json"])
          // A command may refuse a combination that its parameters cannot tell.
          _ = try? command.init(&arguments)
          #expect(!arguments.untaken.contains(parameter.name), "\(command.name) \(parameter.name)")
          count += 1
        }
      }
    }
    #expect(count > 150)
  }

  /// Options of one name are all flags, or none is. Otherwise an option before the command has no clear meaning.
  @Test func aNameHasOneMeaning() {
    let options = Self.commands.flatMap { CommandForm.all(of: $0).flatMap(\.options) }
    for option in options {
      for name in option.names {
        let same = options.filter { $0.names.contains(name) }
        #expect(same.allSatisfy { $0.form == option.form }, "\(name)")
      }
    }
  }

  @Test func everyParameterHasHelp() throws {
    for command in Self.commands {
      for form in CommandForm.all(of: command) {
        for parameter in form.parameters where parameter.help.isEmpty {
          // Its word says what it is.
          #expect(parameter.form == .operand && !form.words.isEmpty, "\(command.name) \(parameter.name)")
        }
        #expect(form.options.allSatisfy { $0.form == .flag || !$0.shownValue.isEmpty }, "\(command.name)")
      }
    }
  }
}
