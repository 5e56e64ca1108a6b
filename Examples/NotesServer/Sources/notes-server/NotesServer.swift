import Dispatch
import FlyingFox
import Foundation
import SnapshotNotebook
import SnapshotStore

/// Serves a notebook on a web page: `notes-server [FILE]`.
@main
enum NotesServer {
  static func main() async {
    let signals = TerminationSignal.signals()
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.wantsHelp { return print(Options.help) }
      try await serve(options, until: signals)
    } catch let error as Options.Failure {
      fail("\(error.message)\nTry: notes-server --help", code: 64)
    } catch let error as SnapshotError {
      fail("\(error)", code: 74)
    } catch {
      fail(error.localizedDescription, code: 74)
    }
  }

  /// Serves until SIGINT or SIGTERM. Then it saves the notebook and closes its file.
  private static func serve(_ options: Options, until signals: AsyncStream<Int32>) async throws {
    let workspace = try Workspace(at: options.file)
    do {
      try await serve(workspace, options, until: signals)
    } catch {
      try await workspace.close()
      throw error
    }
    let revision = workspace.store.revision
    try await workspace.close()
    say("\(options.file.path) is saved: revision \(revision)")
  }

  private static func serve(
    _ workspace: Workspace, _ options: Options, until signals: AsyncStream<Int32>
  ) async throws {
    let gate = Gate(host: options.host)
    let site = Site(workspace: workspace, gate: gate)
    let server = HTTPServer(
      config: HTTPServer.Configuration(address: try options.address, logger: .disabled),
      handler: ClosureHTTPHandler { await site.respond(to: $0) })
    try await withThrowingTaskGroup(of: Bool.self) { tasks in
      tasks.addTask {
        do {
          try await server.run()
        } catch {
          // The end of the program ends the server with an error, too.
          if !Task.isCancelled { throw options.explained(error) }
        }
        return false
      }
      tasks.addTask {
        try await server.waitUntilListening()
        guard case .ip4(_, let port)? = await server.listeningAddress else { return false }
        say("Open  http://\(options.host):\(port)/#\(gate.token)")
        return false
      }
      tasks.addTask {
        for await _ in signals { break }
        return true
      }
      while let isAsked = try await tasks.next(), !isAsked {}
      workspace.endWindows()
      await server.stop(timeout: 1)
      tasks.cancelAll()
    }
  }

  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("notes-server: \(message)\n".utf8))
    exit(code)
  }
}
