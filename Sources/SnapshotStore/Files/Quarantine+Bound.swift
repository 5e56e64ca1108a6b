import SnapshotFoundation

/// How much stays of what merges keep beside a file. Without a bound, a store beside a careless program fills the disk.
///
/// Damaged files, journals that could not be used, and changes that could not be saved are never removed.
struct CopyBound {
  /// How many of the newest copies stay.
  var count = 100
  /// How many bytes of the newest copies stay. The newest copy always does.
  var byteCount = 1_000_000_000
  /// Younger copies stay, whatever their number and size: someone may not have seen them yet.
  var age = Duration.seconds(30 * 86_400)
}

extension Quarantine {
  /// The words in the names of what a merge keeps.
  private static let wordsOfMerges = ["conflict", "before-merge"]

  /// A file that was kept, with the date in its name.
  struct Copy {
    let name: String
    let date: Date
    /// Of what it was when it was kept, unless someone has edited it.
    let modified: Date
    let number: Int
    let byteCount: Int
  }

  /// Removes the oldest copies beyond a bound, and returns their names. A copy that someone has renamed, edited or
  /// opened is not touched.
  ///
  /// O(entries of the folder, and system calls for the copies).
  static func trim(
    beside location: FileLocation, on fileSystem: any FileSystem, date: Date, _ bound: CopyBound = CopyBound()
  ) -> [String] {
    // The names of copies of a longer one may begin in the same way as those of another file.
    guard location.name.utf8.count <= 180, let directory = try? fileSystem.openDirectory(location.directory)
    else { return [] }
    defer { fileSystem.close(directory) }
    let names = Set((try? fileSystem.names(in: directory)) ?? [])
    let found = wordsOfMerges.flatMap { copies(of: location.name, $0, among: names, in: directory, on: fileSystem) }
    var (count, byteCount) = (0, 0)
    let excess = found.sorted { ($0.date, $0.number) > ($1.date, $1.number) }.drop { copy in
      count += 1
      byteCount += min(copy.byteCount, bound.byteCount + 1 - min(byteCount, bound.byteCount))
      return count == 1 || count <= bound.count && byteCount <= bound.byteCount
    }
    let old = excess.reversed().filter { copy in
      [copy.date, copy.modified].allSatisfy { $0 < date && $0.distance(from: date) >= bound.age }
        && !names.contains(SideName.lock(of: copy.name)) && !names.contains(SideName.journal(of: copy.name))
    }
    return old.map(\.name).filter { (try? fileSystem.remove($0, in: directory)) != nil }
  }

  /// The copies of a file that still have exactly the names under which they were kept.
  static func copies(
    of name: String, _ word: String, among names: some Sequence<String>, in directory: OpenFile,
    on fileSystem: any FileSystem
  ) -> [Copy] {
    let form = parts(of: name, word)
    return names.compactMap { name in
      guard name.hasPrefix(form.start), name.hasSuffix(form.end) else { return nil }
      let middle = name.dropFirst(form.start.count).dropLast(form.end.count)
      guard let date = Date(inFileName: middle.prefix(20)) else { return nil }
      let number = middle.dropFirst(20).isEmpty ? 1 : Int(middle.dropFirst(21)) ?? 0
      let exact = form.start + date.inFileName + (number == 1 ? "" : "-\(number)") + form.end
      guard number >= 1, exact.utf8.elementsEqual(name.utf8),
        let status = try? fileSystem.status(of: name, in: directory), status.kind == .regular
      else { return nil }
      let modified = Date(timeIntervalSince1970: TimeInterval(status.modified) / 1e9)
      return Copy(name: name, date: date, modified: modified, number: number, byteCount: status.size)
    }
  }
}
