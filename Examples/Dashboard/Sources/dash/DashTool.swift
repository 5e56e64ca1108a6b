import DashboardModel
import SnapshotCommands
import SnapshotStore

/// A command line tool for dashboards: the commands for every model, and one of its own.
@main
struct DashTool {
  static func main() {
    StoreCommands<Dashboard>(
      name: "dash", version: "1.0", summary: "Dashboards of posts", commands: [UnreadCommand.self]
    ).main()
  }
}

/// Prints the posts that are not read, or marks them as read.
struct UnreadCommand: StoreCommand {
  static let name = "unread"
  static let summary = "Print the posts that are not read"
  static let parameters: [Parameter] = [.store("STORE", "the store"), .flag("--mark", "mark them as read")]

  private let session: StoreSession<Dashboard>
  private let marks: Bool

  init(_ arguments: inout Arguments) throws {
    marks = arguments.flag("--mark")
    session = try StoreSession(&arguments)
  }

  func run() throws {
    for post in try session.read().posts where !post.isRead {
      try Terminal.output.print("\(post.id)  \(post.body)".forTerminal + "\n")
    }
    if marks { try session.write { dashboard in _ = try dashboard.markAllRead() } }
  }
}
