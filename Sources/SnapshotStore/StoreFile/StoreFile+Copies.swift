import SnapshotFoundation

/// What is kept beside the file: versions that a merge or a save does not take.
extension StoreFile {
  /// Keeps the content of the file under another name, and returns that path. A part of what a shared store has read
  /// may be in the journal, or another program may have replaced the file since.
  func keepConflict(_ theirs: SnapshotContent<Root>) throws(SnapshotError) -> String {
    guard session.isShared else { return try Quarantine.keep(location, on: fileSystem, as: "conflict", date: date()) }
    let bytes = try SnapshotEncoding(of: theirs.value, as: format, unknown: theirs.unknown, threads: threads).bytes
    if let bytes = bytes.array() { return try keepAside(bytes, as: "conflict") }
    return try Quarantine.write(bytes, beside: location, on: fileSystem, as: "conflict", date: date())
  }

  /// Writes bytes beside the file, durably, and returns that path. If a copy was kept before, it returns that one.
  func keepAside(_ bytes: [UInt8], as word: String) throws(SnapshotError) -> String {
    if let kept = Quarantine.copy(of: bytes, beside: location, on: fileSystem, as: word, date: date()) {
      return kept
    }
    return try Quarantine.write(PiecedBytes(bytes), beside: location, on: fileSystem, as: word, date: date())
  }

  /// Writes a value beside the file, because the file cannot be replaced, and returns that path.
  func saveAside(_ root: Root, as word: String) throws(SnapshotError) -> String {
    let bytes = try SnapshotEncoding(of: root, as: format, unknown: unknown, threads: threads).bytes
    return try Quarantine.write(bytes, beside: location, on: fileSystem, as: word, date: date())
  }

  /// Removes a copy that was written beside the file, and that nobody was told of.
  func removeAside(_ path: String) {
    keptByMerge = keptByMerge.filter { $0.value.path != path }
    guard let copy = try? FileLocation(path, on: fileSystem),
      let directory = try? fileSystem.openDirectory(copy.directory)
    else { return }
    try? fileSystem.remove(copy.name, in: directory)
    fileSystem.close(directory)
  }

  /// Removes the oldest of what merges have kept beside the file, beyond a bound. Returns the names. Once an hour.
  func trimCopies() -> [String] {
    let date = date()
    if let copiesTrimmed, copiesTrimmed.distance(from: date) < .seconds(3_600) { return [] }
    copiesTrimmed = date
    return Quarantine.trim(beside: location, on: fileSystem, date: date)
  }

  /// Writes some records beside the file, and returns that path. A merge that is tried again keeps them once.
  func keepLost(_ lost: Root, as word: String) throws(SnapshotError) -> String {
    let bytes = try SnapshotEncoding(of: lost, as: format, unknown: UnknownContent(), threads: threads).bytes
    let array = bytes.array()
    if let array, let kept = keptByMerge[word], kept.bytes == array { return kept.path }
    let path = try Quarantine.write(bytes, beside: location, on: fileSystem, as: word, date: date())
    if let array { keptByMerge[word] = (array, path) }
    return path
  }
}
