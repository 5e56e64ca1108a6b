import Foundation

/// The hidden command `complete`, which the completion scripts of the shells call:
///
///     TOOL complete bash LINE WORDBREAKS
///     TOOL complete zsh|fish WORD… CURRENT
///
/// It prints a completion in each line. For zsh and fish, a tab and a description follow. For zsh, the first line may
/// name the files that the shell itself lists.
struct CompleteRequest {
  static let name = "complete"

  private let completion: Completion
  private let arguments: [String]

  init(_ arguments: [String], tool: Tool) {
    completion = Completion(tool: tool)
    self.arguments = arguments
  }

  /// The lines to print; none for a request that is not understood.
  var lines: [String] {
    guard let shell = arguments.first else { return [] }
    let words = Array(arguments.dropFirst())
    switch shell {
    case "bash" where words.count == 2: return linesForBash(words[0], words[1])
    case "zsh" where !words.isEmpty: return linesForZsh(Array(words.dropLast()), words[words.count - 1])
    case "fish" where !words.isEmpty: return linesForFish(Array(words.dropLast()), words[words.count - 1])
    default: return []
    }
  }

  private var home: String? { completion.environment["HOME"] }

  /// The texts that replace the end of the line, quoted. A space follows a finished word.
  private func linesForBash(_ text: String, _ breaks: String) -> [String] {
    let line = ShellLine(text, breaks: breaks, environment: completion.environment)
    let reply =
      line.isRedirection
      ? CompletionReply(files: .files([])) : completion.reply(Array(line.words.dropFirst()), line.current)
    func finished(_ completed: Completed, _ begin: String, _ end: Substring) -> String {
      begin + line.quoted(end) + (completed.isFinished && line.quote == nil ? " " : "")
    }
    var lines = reply.values.compactMap { value -> String? in
      let whole = reply.prefix + value.value
      guard whole.hasPrefix(line.kept) else { return nil }
      return finished(value, "", whole.dropFirst(line.kept.count))
    }
    if let files = reply.files {
      // The folders of the path stay as they were typed, with a tilde or a variable.
      let begin = line.replaced.lastIndex(of: "/").map { String(line.replaced[...$0]) } ?? ""
      let path = String(line.current.dropFirst(reply.prefix.count))
      lines += FileCandidates(files, home: home).names(completing: path).map { finished($0, begin, $0.value[...]) }
    }
    return lines
  }

  private func linesForZsh(_ words: [String], _ current: String) -> [String] {
    let reply = completion.reply(words, current)
    var lines: [String] = []
    switch reply.files {
    case .files(let extensions)?: lines.append(([":files"] + extensions).joined(separator: " "))
    case .folders?: lines.append(":folders")
    case nil: break
    }
    return lines + reply.values.map { "\($0.isFinished ? " " : "-")\(Self.described($0, $0.value))" }
  }

  private func linesForFish(_ words: [String], _ typed: String) -> [String] {
    // The token has its quotes.
    let line = ShellLine("x " + typed, breaks: "", environment: completion.environment)
    let reply = completion.reply(words, line.current)
    var values = reply.values
    if let files = reply.files {
      let path = String(line.current.dropFirst(reply.prefix.count))
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
      values += FileCandidates(files, home: home).names(completing: path).map {
        Completed(folder + $0.value, $0.help, isFinished: $0.isFinished)
      }
    }
    return values.map { Self.described($0, reply.prefix + $0.value) }
  }

  /// The most characters of a description. A list has one in each line.
  private static let most = 70

  private static func described(_ completed: Completed, _ value: String) -> String {
    let help = String(completed.help.prefix(most)).forTerminal
    return help.isEmpty ? value : value + "\t" + help + (completed.help.count > most ? "…" : "")
  }
}
