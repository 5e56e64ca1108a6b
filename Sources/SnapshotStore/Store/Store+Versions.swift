package import SnapshotFoundation

/// Another version of a store's file, which a sync service keeps because it could not merge it.
package protocol ConflictVersion {
  /// The file with the version's content.
  var url: URL { get }
  /// Tells the service that the version is no longer needed.
  func resolve() throws
}

/// Takes conflict versions into the store.
extension Store {
  /// Handles conflict versions as ``StoreOptions/externalChanges`` says. With `merge` they are merged into the value.
  /// With `reload` and `keepOurs` they are kept beside the file. With `fail` nothing is done.
  ///
  /// A version is resolved only when its content is durable: in the file, or in a file beside it. A version that cannot
  /// be read stays. Blocks the thread for the saves.
  func mergeVersions(_ versions: [any ConflictVersion]) {
    guard let saver, !isReadOnly, externalChanges != .fail else { return }
    var taken: [any ConflictVersion] = []
    for version in versions {
      let change = saver.inTurn { meetVersion(at: version.url, saver) }
      switch change {
      case .merged, .replaced: taken.append(version)
      case .rejected(_, let kept) where kept != nil: taken.append(version)
      default: break
      }
      onExternalChange?(change)
    }
    if taken.isEmpty { return }
    do {
      try flushAndWait()
    } catch {
      return log("\(saver.name): conflict versions were merged, but the result could not be saved: \(error)")
    }
    for version in taken {
      do {
        try version.resolve()
      } catch {
        // The next notice tries again. A merge of the same version then changes nothing, and keeps no second copy.
        log("\(saver.name): a conflict version was merged but stays unresolved: \(error)")
      }
    }
  }

  private func meetVersion(at url: URL, _ saver: Saver<Root>) -> ExternalChange {
    do throws(SnapshotError) {
      guard core.phase == .open else { return .refused }
      let location = try FileLocation(url.requiredPath(), on: saver.fileSystem)
      let bytes = try saver.fileSystem.readFile(at: location, limit: saver.file.limits.fileSize).bytes
      let keep = { () throws(SnapshotError) in try saver.file.keepAside(bytes, as: "conflict") }
      guard externalChanges == .merge else { return .replaced(kept: try keep()) }
      let (theirs, history) = try saver.file.version(bytes)
      guard let history else { return .refused }
      return try merge(
        theirs, history, saver,
        .init(
          keep: keep, reject: keep, accept: { unknown, _ in saver.file.accept(unknown: unknown) }, isInFile: false,
          isVersion: true))
    } catch {
      return .unreadable(error)
    }
  }
}
