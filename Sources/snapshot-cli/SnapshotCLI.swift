import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// The entry point: the commands for every model, and those of the notebook.
@main
enum SnapshotCLI {
  static func main() {
    StoreCommands<Notebook>(
      name: "snapshot-cli", version: "0.1.0",
      summary: "Notes in one plain file, JSON or a property list, saved as a whole", commands: commands
    ).main()
  }

  /// The commands of the notebook.
  static var commands: [any StoreCommand.Type] {
    [
      DemoCommand.self, AddCommand.self, ListCommand.self, SearchCommand.self, ShowCommand.self, EditCommand.self,
      DeleteCommand.self, UndeleteCommand.self, DuplicateCommand.self, ArchiveCommand.self, UnarchiveCommand.self,
      TagCommand.self, UntagCommand.self,
      TagsCommand.self, ImportCommand.self, ExportCommand.self, SyncCommand.self,
    ]
  }
}
