import SnapshotNotebook

/// The lists that a window offers: the tags with the number of their notes.
struct Sidebar: Encodable, Equatable, Sendable {
  struct Row: Encodable, Equatable, Sendable {
    let id: Tag.ID
    let name: String
    let count: Int
  }

  let tags: [Row]
  let hasUntagged: Bool
  let hasArchived: Bool

  init(_ notebook: Notebook) {
    tags = notebook.sidebarTags().map { Row(id: $0.id, name: $0.tag.name, count: $0.count) }
    hasUntagged = notebook.hasUntagged
    hasArchived = notebook.hasArchived
  }
}
