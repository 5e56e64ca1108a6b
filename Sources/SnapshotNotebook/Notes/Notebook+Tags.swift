public import SnapshotStore

/// Tags by name. All tags are made here.
extension Notebook {
  /// The tag with a name, ignoring case and spacing; nil if there is none.
  public func existingTag(named name: String) -> Tag? {
    TagName(name).flatMap { tags[$0.id] }
  }

  /// The tag with a name; makes it if there is none. An existing tag keeps its spelling.
  ///
  /// A name of nothing but white space is a programmer error and traps. Use ``tag(checkedName:)`` for names that a user
  /// or a file supplies.
  @discardableResult
  public mutating func tag(named name: String) -> Tag {
    guard let name = TagName(name) else {
      fatalError(
        "Notebook.tag(named:) was given an empty name; for names from a user or a file use tag(checkedName:)")
    }
    return tag(name)
  }

  /// The tag with a name that a user or a file supplies; makes it if there is none.
  ///
  /// - Throws: `SnapshotError` with code `invalidValue` for a name of nothing but white space.
  @discardableResult
  public mutating func tag(checkedName name: String) throws(SnapshotError) -> Tag {
    guard let name = TagName(name) else { throw Self.emptyTagName }
    return tag(name)
  }

  /// Gives a tag another name, and returns the tag that its notes have afterwards.
  ///
  /// The id of a tag comes from its name, so the notes move to the tag of the new name. If that tag exists already, the
  /// two are merged, and it keeps its spelling. On a note the new tag takes the place of the old one. A note with both
  /// keeps the new one, once, at the first of the two places. Only the tags of these notes change, all at one date.
  /// Another case or spacing of the same name is a respelling and changes no note.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound`, or `invalidValue` for a name of nothing but white space. The
  ///   notebook is then unchanged.
  @discardableResult
  public mutating func renameTag(_ id: Tag.ID, to name: String) throws -> Tag {
    guard let old = tags[id] else { throw Self.notFound("tag", id) }
    guard let name = TagName(name) else { throw Self.emptyTagName }
    if name.id == old.id { return respell(old, as: name.spelling) }
    let new = tags[name.id] ?? Tag(name, nameModificationDate: sources.now())
    try changeNotes(Array(notes(tagged: old.id))) { note, date in
      note.setTags(note.tags.map { $0 == old.id ? new.id : $0 }, at: date)
    }
    tags.remove(old.id)
    return tags[new.id] ?? add(new)
  }

  /// The names of a note's tags, valid for other programs. A tag id without a record is its own name.
  func tagNames(of note: Note) -> [String] {
    note.tags.compactMap { TagName(tags[$0]?.name ?? $0)?.spelling }
  }

  private mutating func respell(_ tag: Tag, as spelling: String) -> Tag {
    if tag.name.hasSameBytes(as: spelling) { return tag }
    var tag = tag
    tag.name = spelling
    tag.nameModificationDate = sources.now().following(tag.nameModificationDate)
    return add(tag)
  }

  private static var emptyTagName: SnapshotError {
    SnapshotError(.invalidValue, "the name of a tag must not be empty")
  }

  private mutating func tag(_ name: TagName) -> Tag {
    tags[name.id] ?? add(Tag(name, nameModificationDate: sources.now()))
  }

  /// Adds a tag, or replaces it.
  mutating func add(_ tag: Tag) -> Tag {
    // Tags have no unique index, so an upsert refuses nothing.
    _ = try? tags.upsert(tag)
    return tag
  }

  static func notFound(_ kind: String, _ id: some Any) -> SnapshotError {
    SnapshotError(.recordNotFound, "there is no \(kind) with id \(SnapshotError.quoted("\(id)"))")
  }
}
