import Foundation
import Testing

@testable import TestSupport

/// The commands that write manual pages and completion scripts. Scripts/check-install and Scripts/check-completions try
/// their output.
@Suite struct ManualTests {
  let cli: CLI

  init() throws { cli = try CLI() }

  @Test func everyCommandHasAPage() throws {
    try FileManager.default.createDirectory(at: cli.url("man"), withIntermediateDirectories: false)
    let overview = try cli.run("--help").output
    let commands = overview.matches(of: #/(?m)^  ([a-z-]+) /#).map { String($0.output.1) }
    // Pages of the same names are replaced.
    for epoch in ["0", "1767225600"] {
      let result = try cli.run(["manual", "man"], environment: ["SOURCE_DATE_EPOCH": epoch])
      #expect(result.output == "wrote \(commands.count + 1) pages\n", "\(result.error)")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: cli.url("man").path)
    #expect(Set(files) == Set(commands.map { "snapshot-cli-\($0).1" } + ["snapshot-cli.1"]))
    let page = try cli.text("man/snapshot-cli-rows.1")
    #expect(page.hasPrefix(".TH SNAPSHOT\\-CLI\\-ROWS 1 2026-01-01 \"snapshot-cli "), "\(page.prefix(80))")
    #expect(page.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func aFolderThatIsMissingIsTold() throws {
    let result = try cli.run("manual", "none")
    #expect(result.status == Exit.cannotCreate && result.error.contains("none"), "\(result.error)")
    #expect(!cli.exists("none"))
  }

  @Test func eachShellHasAScript() throws {
    for (shell, part) in [("bash", "complete -o nospace"), ("zsh", "#compdef snapshot-cli"), ("fish", "complete -c")] {
      let result = try cli.run("completions", shell)
      #expect(result.status == Exit.good && result.output.contains(part))
    }
    let result = try cli.run("completions", "bsh")
    #expect(result.status == Exit.usage && result.error.contains("did you mean “bash”?"))
  }

  /// A request that makes no sense has an empty answer, so that a shell shows nothing.
  @Test func anOddRequestIsSilent() throws {
    for request in [[], ["bash"], ["tcsh", "x"], ["zsh", "rows", "none.json", ""], ["zsh", "\u{1B}", "x"]] {
      let result = try cli.run(["complete"] + request)
      #expect(result.status == Exit.good && result.output.isEmpty && result.error.isEmpty, "\(request) \(result.error)")
    }
  }
}
