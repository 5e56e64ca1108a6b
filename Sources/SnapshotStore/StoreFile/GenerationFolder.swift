import SnapshotFoundation

/// The folder with the generations of one file.
struct GenerationFolder {
  let fileSystem: any FileSystem
  let location: FileLocation

  /// The name of the folder: hidden, and beside the file.
  private var name: String { SideName.generations(of: location.name) }
  private var path: String { "\(location.directory == "/" ? "" : location.directory)/\(name)" }

  func path(of generation: Generation) -> String { "\(path)/\(generation.url.lastPathComponent)" }

  /// The generations, newest first. Other files in the folder are ignored.
  func generations() throws(SnapshotError) -> [Generation] {
    do throws(SystemError) {
      let directory = try fileSystem.openDirectory(location.directory)
      defer { fileSystem.close(directory) }
      return try withFolder(in: directory, create: false, list) ?? []
    } catch {
      throw SnapshotError(error, path)
    }
  }

  /// The value in a generation, and its format.
  func read<Root: Model>(
    _ type: Root.Type, _ generation: Generation, _ limits: ReadLimits, _ options: DecodingOptions
  ) throws(SnapshotError) -> (DecodedSnapshot<Root>, FileFormat) {
    try SnapshotCoder.decode(
      type, from: bytes(of: generation, limits), limits, options, path: path(of: generation))
  }

  /// The newest generation that can be read; nil if there is none.
  func newestReadable<Root: Model>(
    _ type: Root.Type, _ limits: ReadLimits, _ options: DecodingOptions
  ) throws(SnapshotError) -> (generation: Generation, decoded: DecodedSnapshot<Root>, format: FileFormat)? {
    for generation in try generations() {
      if let (decoded, format) = try? read(type, generation, limits, options) { return (generation, decoded, format) }
    }
    return nil
  }

  func bytes(of generation: Generation, _ limits: ReadLimits) throws(SnapshotError) -> [UInt8] {
    let place = try FileLocation(path(of: generation), on: fileSystem)
    return try fileSystem.readFile(at: place, limit: limits.fileSize).bytes
  }

  /// The rule for removing older generations when one is kept.
  struct Trimming {
    /// How many of the newest generations stay; at least 1.
    var count: Int
    /// Younger generations stay, whatever their number. So generations that a program requests in quick succession do
    /// not replace those that were kept at intervals.
    var age: Duration

    /// Removes none.
    static let none = Trimming(count: .max, age: .zero)
    /// For large changes: the ten newest stay, and those of the last hours.
    static let ofChanges = Trimming(count: 10, age: Trimming(Generation.Policy()).age)

    init(count: Int, age: Duration) {
      self.count = count
      self.age = age
    }

    /// The rule of a policy.
    init(_ policy: Generation.Policy) {
      self.init(count: policy.count, age: min(policy.interval, .century) * min(policy.count, 1_000_000))
    }
  }

  /// Keeps the current file as a generation, durably.
  ///
  /// - Parameters:
  ///   - migratedVersion: the schema version of the file, if a migration follows.
  ///   - trimming: the rule for removing others.
  func keepFile(date: Date, migratedVersion: Int? = nil, trimming: Trimming = .none) throws(SnapshotError) {
    do throws(SystemError) {
      let directory = try fileSystem.openDirectory(location.directory)
      defer { fileSystem.close(directory) }
      _ = try keepFile(in: directory, date: date, trimming, interval: nil, migratedVersion: migratedVersion)
      try fileSystem.sync(directory)
    } catch {
      throw SnapshotError(error, location.path, committed: " while the old file was being kept; nothing was replaced")
    }
  }

  /// Keeps the current file as a generation, unless another one is younger than `interval`. Removes the oldest ones.
  ///
  /// - Parameters:
  ///   - directory: the directory of the file.
  ///   - date: the current time.
  ///   - trimming: the rule for removing others.
  ///   - interval: the least distance in time between two generations; nil always keeps the file.
  ///   - migratedVersion: the schema version of the file, if a migration follows.
  /// - Returns: the date of the newest generation.
  func keepFile(
    in directory: OpenFile, date: Date, _ trimming: Trimming, interval: Duration?, migratedVersion: Int? = nil
  ) throws(SystemError) -> Date? {
    try withFolder(in: directory, create: true) { folder throws(SystemError) in
      let kept = try list(folder)
      if let newest = kept.first, let interval {
        // A clock that was set back does not show the age, so the distance in either direction counts.
        if date.distance(from: newest.date) < interval { return newest.date }
      }
      let number = (kept.first?.number ?? 0) + 1
      let newName = Generation.fileName(
        number: number, date: date, migratedVersion: migratedVersion, of: location.name)
      try fileSystem.keep(location.name, in: directory, as: newName, in: folder)
      let others = Self.removable(kept).dropFirst(max(0, trimming.count - 1))
      for old in others where date.distance(from: old.date) >= trimming.age {
        try fileSystem.remove(old.url.lastPathComponent, in: folder)
      }
      return date
    } ?? nil
  }

  /// The generations that may be removed, newest first. The newest of each version before a migration is not among
  /// them. A migration cannot be reverted, and an error in it may be found much later.
  private static func removable(_ kept: [Generation]) -> [Generation] {
    var spared = Set<Int>()
    return kept.filter { generation in generation.migratedVersion.map { !spared.insert($0).inserted } ?? true }
  }

  /// Gives the folder the owner of the file, and lets everybody with read access to the file enter it.
  private func giveAccess(to folder: OpenFile, like name: String, in directory: OpenFile) {
    guard var status = try? fileSystem.statusIfAny(of: name, in: directory) else { return }
    status.mode |= 0o700 | (status.mode & 0o044) >> 2
    try? fileSystem.setAccess(folder, like: status, of: name, in: directory, attributes: false)
  }

  private func list(_ folder: OpenFile) throws(SystemError) -> [Generation] {
    try fileSystem.names(in: folder).compactMap { Generation(fileName: $0, in: path) }
      .sorted { ($0.number, $0.date) > ($1.number, $1.date) }
  }

  /// Opens the folder for `body`. Returns nil if there is no folder and `create` is false.
  private func withFolder<Result>(
    in directory: OpenFile, create: Bool, _ body: (OpenFile) throws(SystemError) -> Result
  ) throws(SystemError) -> Result? {
    let folder: OpenFile
    do {
      folder = try fileSystem.openDirectory(name, in: directory)
    } catch {
      guard error.number == SystemError.noSuchFile else { throw error }
      if !create { return nil }
      try fileSystem.makeDirectory(name, in: directory)
      folder = try fileSystem.openDirectory(name, in: directory)
      giveAccess(to: folder, like: location.name, in: directory)
      // The following save syncs the directory, including the entry of the folder.
    }
    defer { fileSystem.close(folder) }
    return try body(folder)
  }
}
