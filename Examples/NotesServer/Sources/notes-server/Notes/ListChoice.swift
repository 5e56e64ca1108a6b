import SnapshotNotebook

/// The notes that a window lists.
enum ListChoice: Equatable, Sendable {
  case active
  case untagged
  case archived
  case tagged(Tag.ID)

  func includes(_ note: Note) -> Bool {
    switch self {
    case .active: !note.archived
    case .untagged: !note.archived && note.tags.isEmpty
    case .archived: note.archived
    case .tagged(let tag): !note.archived && note.tags.contains(tag)
    }
  }
}

extension ListChoice: Decodable {
  /// `active`, `untagged`, `archived`, or `tag:` and the id of a tag.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    switch text {
    case "active": self = .active
    case "untagged": self = .untagged
    case "archived": self = .archived
    case _ where text.hasPrefix("tag:"): self = .tagged(String(text.dropFirst(4)))
    default: throw DecodingError.dataCorruptedError(in: container, debugDescription: "there is no list \(text)")
    }
  }
}
