import SnapshotStore

/// A change of a text in the user's editor.
///
/// ```swift
/// let changed = try TextEdit.run(post.body, fileName: "post.txt") { text in
///   try session.write { try $0.posts.update(post.id) { $0.body = text } }
/// }
/// if !changed { Terminal.error.printLine("nothing was changed") }
/// ```
public enum TextEdit {
  /// Opens a text in `$VISUAL` or `$EDITOR`, and saves the changed text.
  ///
  /// Nothing is locked meanwhile. Whenever the text cannot be saved, it stays in a file that only the user can read.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - fileName: the name of the file for the editor. Editors recognise the kind of the text by it.
  ///   - save: saves the changed text.
  /// - Returns: whether the text was changed.
  /// - Throws: ``CommandFailure``, which names the file with the text if the user changed it.
  public static func run(_ text: String, fileName: String, saving save: (String) throws -> Void) throws -> Bool {
    let editor = try Editor()
    let draft = try TextDraft(text, name: fileName)
    var isChanged = false
    do {
      try editor.open(draft.path)
      let new = try draft.text()
      isChanged = ExactText(new) != ExactText(text)
      if isChanged { try save(new) }
    } catch {
      guard let path = draft.pathOfChanges else {
        draft.remove()
        throw error
      }
      let failure = CommandFailure(error)
      throw CommandFailure("\(failure.message)\nyour text is in \(path.forTerminal)", failure.exitCode)
    }
    draft.remove()
    return isChanged
  }
}
