/// Answers for a store the requests of a system that coordinates the files of several programs.
///
/// It does not keep the store alive. All functions may be called from any thread, but not inside `write`.
package final class FilePresence: Sendable {
  private let save: @Sendable () -> (any Error)?
  private let check: @Sendable () -> Void
  private let merge: @Sendable ([any ConflictVersion]) -> Void
  private let use: @Sendable ((@Sendable () -> any FileTurn)?) -> Void

  package init<Root: Model>(of store: Store<Root>) {
    let turns = store.saver?.turns
    save = { [weak store] in
      guard let store, let turns, store.core.phase != .closed else { return nil }
      return turns.whileRequested {
        do {
          // The other program may read the file alone.
          try store.flushAndWait(folding: true)
          return nil
        } catch {
          return error
        }
      }
    }
    check = { [weak store] in store?.lookSoon() }
    merge = { [weak store] in store?.mergeVersions($0) }
    use = { turns?.use($0) }
  }

  /// Saves from now on in turns; nil ends it.
  package func takeTurns(_ makeTurn: (@Sendable () -> any FileTurn)?) { use(makeTurn) }

  /// Saves all changes, because another program waits to read or replace the file. Returns the reason of a failure.
  package func saveChanges() -> (any Error)? { save() }

  /// Another program has changed the file.
  package func itemDidChange() { check() }

  /// The sync service has versions that it could not merge.
  package func mergeVersions(_ versions: [any ConflictVersion]) { merge(versions) }
}
