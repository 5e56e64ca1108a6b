import Foundation
import SnapshotStore

/// The records of a file without their types.
struct RecordFile {
  let name: String
  let content: SnapshotContent<UntypedModel>

  /// Reads a store or a dump, or standard input for `-`.
  init(_ path: String) throws {
    let input = try FileInput(path)
    name = input.name
    content = try input.content(UntypedModel.self)
  }

  func table(_ name: String) throws -> UntypedTable { try content.requiredTable(name) }
}

extension SnapshotContent where Root == UntypedModel {
  /// The table with a name from the user.
  ///
  /// - Throws: `recordNotFound`, with the tables that there are.
  func requiredTable(_ name: String) throws -> UntypedTable {
    if let table = self[table: name] { return table }
    if self[value: name] != nil {
      let shown = name.shortForMessage
      throw CommandFailure(
        "“\(shown)” is a single value, not a table; “\(Tool.runningName) get … --value \(shown)” prints it", .noInput)
    }
    throw Self.noneOfName("table", name, tables.map(\.name))
  }

  /// The single value with a name from the user.
  ///
  /// - Throws: `recordNotFound`, with the single values that there are.
  func requiredValue(_ name: String) throws -> UntypedValue {
    if let value = self[value: name] { return value }
    if self[table: name] != nil {
      throw CommandFailure("“\(name.shortForMessage)” is a table, not a single value", .noInput)
    }
    throw Self.noneOfName("single value", name, values.map(\.name))
  }

  private static func noneOfName(_ what: String, _ name: String, _ names: [String]) -> CommandFailure {
    let near = NearName.of(name, in: names).map { "; did you mean “\($0.shortForMessage)”?" }
    let known = names.isEmpty ? "; the file has no \(what)s" : "; the \(what)s are \(list(names))"
    return CommandFailure("there is no \(what) “\(name.shortForMessage)”\(near ?? known)", .noInput)
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { "“\($0.shortForMessage)”" }.joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }
}

extension UntypedValue {
  /// A value from an argument: JSON if it is valid JSON, otherwise a text.
  init(argument text: String) {
    // In brackets, since a document is an array or an object. Text after a value makes more elements, or an error.
    if let document = try? UntypedDocument(reading: Array("[\(text)]".utf8)), let values = document.root.array,
      values.count == 1
    {
      self = values[0]
    } else {
      self.init(text)
    }
  }
}

extension String {
  /// The text for a message: in one line, and not longer than a name should be.
  var shortForMessage: String {
    let shown = String(prefix(60)).forTerminal
    return utf8.count > shown.utf8.count && count > 60 ? shown + "…" : shown
  }
}

extension QueryError {
  /// The error as a message: the reason, the text, and a line with a caret under the place.
  ///
  /// - Parameter what: what is wrong, for example the name of the option.
  func failure(_ what: String) -> CommandFailure {
    // A long text is shown around the place only, so that both lines fit.
    let before = String(self.before.suffix(50)).forTerminal
    let isCut = self.before.count > 50
    let after = String(self.after.prefix(25)).forTerminal
    let lead = (isCut ? "…" : "") + before
    let line = "  \(lead)\(after)\(self.after.count > 25 ? "…" : "")"
    let caret = "  " + String(repeating: " ", count: before.displayWidth + (isCut ? 1 : 0)) + "^"
    return .usage("\(what), column \(column): \(message)\n\(line)\n\(caret)")
  }
}
