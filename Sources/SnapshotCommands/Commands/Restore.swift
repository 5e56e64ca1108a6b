import Foundation
import SnapshotStore

/// Makes a store from a dump.
struct RestoreCommand<Root: Model>: StoreCommand {
  static var name: String { "restore" }
  static var summary: String { "Make a store from a dump in any format" }
  static var parameters: [Parameter] {
    [
      .operand(
        "DUMP", .store, "a file that “dump” wrote, or - for standard input; the format is recognised"),
      .store("STORE", "the store to make; its extension decides the format (.json, .plist, .bplist, .ndjson)"),
      .flag(
        "--force",
        """
        replace STORE if it exists; an operand or --store must name it then. Its old content stays as the newest older
        version (see “{tool} generations --help”). A file that cannot be read as a store stays beside it
        """
      ),
    ]
  }
  static var discussion: String { "The whole dump is read and checked before anything is written." }

  private let dump: String
  private let store: String
  private let replaces: Bool
  private let tool: String

  init(_ arguments: inout Arguments) throws {
    tool = arguments.toolName
    replaces = arguments.flag("--force")
    dump = arguments.operand("DUMP")
    // With one file, a user may mean that file. The store of the environment would be replaced.
    if replaces, arguments.isStoreFromEnvironment {
      throw arguments.usage("--force replaces STORE, so STORE must be named too, as an operand or with --store")
    }
    store = arguments.operand("STORE")
    try FileName.requireFile(store, "the store must be a file")
  }

  func run() throws {
    let input = try FileInput(dump)
    try restore(input, as: input.model(for: Root.self))
  }

  private func restore<Known: Model>(_ input: FileInput, as type: Known.Type) throws {
    let content = try input.content(type)
    let format = FileFormat(fileName: store) ?? .json
    let url = try FileName.url(store)
    try CommandFailure.creating {
      if replaces {
        let kept = try waitingForOthers {
          try SnapshotFile.restore(content, as: format, at: url, waitingAtMost: $0)
        }
        if let kept { Terminal.error.printLine("\(tool): the old file stays as \(kept.forTerminal)") }
      } else {
        try write(content, as: format, to: url)
      }
    }
    try Terminal.output.print("restored \(store.forTerminal): \(Counts.text(of: content))\n")
    let violations = content.value.allViolations()
    if !violations.isEmpty {
      Terminal.error.printLine(
        "\(tool): the dump has \(Counts.text(violations.count, "problem")), and is restored as it is; "
          + "“\(tool) check” lists them"
      )
    }
  }

  private func write<Known: Model>(_ content: SnapshotContent<Known>, as format: FileFormat, to url: URL) throws {
    do {
      try SnapshotFile.create(content, as: format, at: url)
    } catch var error as SnapshotError where error.code == .fileExists {
      error.advice = "--force replaces it."
      throw error
    }
  }
}
