/// Where the file of a journal comes from. Stores that share the file find there what they know.
struct JournalPast: Equatable, Sendable {
  /// The place of one journal among those that were made one after the other.
  struct Place: Hashable, Sendable {
    /// A random number. All of a journal of a run is in the file of the next one.
    let run: Int
    /// 1 for the first journal of the run.
    let number: Int
  }

  /// A moment of the file from before the run, or of the file of another program. What came up to there is in the file
  /// of this journal, or in its lines.
  struct Link: Equatable, Sendable {
    let position: FilePosition
    /// Whether a program without the types has made a version of the file since. Its changes are not settled.
    var isUntyped = false
    /// Whether a version of the file was made from that of another program since.
    var isMerge = false
  }

  /// How the file of a journal was made.
  struct Making {
    /// Whether a program without the types has made it.
    var isUntyped = false
    /// Whether it was made from the file of another program, too.
    var isMerge = false
    /// Whether it has what the journal before it had, and nothing else.
    var isAll = false
  }

  /// The most links.
  static let most = 32

  var place: Place
  /// The identity and the dates of the file when it was put in place. They spare reading it, and a run goes on only on
  /// that file. A copy that was put back has another date of change, even if it is a second name of the file.
  var witness = ""
  /// The end of the journal of the run before this one; nil if there is none.
  var before: FilePosition?
  /// The oldest first.
  var links: [Link] = []
  /// Whether the file has what the journal before it had, and nothing else. A store that has that need not read it.
  var isAll = false
  /// The number of the last journal of the run whose file was made by a program without the types; 0 if there is none.
  var untyped = 0
  /// The same for a file that was made from that of another program, too.
  var merge = 0

  init(place: Place) { self.place = place }

  /// The past of a run that has no journal yet.
  ///
  /// - Parameter old: what is known of what came before; nil if nobody can say it.
  init(behind old: JournalPast?) {
    self.init(place: Place(run: .random(in: 0..<1_000_000_000_000), number: 0))
    guard let old else { return }
    links = old.links
    // All of the old run is before it.
    if let end = old.before { links.append(Link(position: end, isUntyped: old.untyped > 0, isMerge: old.merge > 0)) }
  }

  /// The past of the next journal of the run.
  ///
  /// - Parameters:
  ///   - known: the moments from which its file was made. The end of this journal is the first of them.
  ///   - making: how it was made.
  func next(madeFrom known: [FilePosition], _ making: Making) -> JournalPast {
    var next = self
    next.place = Place(run: place.run, number: place.number + 1)
    next.before = known.first { $0.place == place }
    for position in known where !next.includes(position) { next.links.append(Link(position: position)) }
    next.links = next.links.suffix(Self.most).map { link in
      Link(
        position: link.position, isUntyped: link.isUntyped || making.isUntyped, isMerge: link.isMerge || making.isMerge)
    }
    next.isAll = making.isAll
    if making.isUntyped { next.untyped = next.place.number }
    if making.isMerge { next.merge = next.place.number }
    return next
  }

  /// Whether the file was made from a moment, if that was on the disk.
  func includes(_ position: FilePosition) -> Bool { end(behind: position) != nil }

  /// The first moment of the past that has a moment of the file; nil if there is none.
  func end(behind position: FilePosition) -> FilePosition? {
    if let before, position.isIncluded(in: before) { return before }
    return link(behind: position)?.position
  }

  private func link(behind position: FilePosition) -> Link? {
    links.first { position.isIncluded(in: $0.position) }
  }

  /// Whether a moment is of a later journal of the run, or of another one with the same number. Then an old copy has
  /// taken the place of the journal.
  ///
  /// - Parameter start: the checksum of the first line of the journal.
  func isOlder(than position: FilePosition, _ start: UInt32) -> Bool {
    guard let at = position.place, at.run == place.run else { return false }
    return at.number > place.number || at.number == place.number && position.journal != start
  }

  /// The number of the journal of the run on which a moment is; nil for one from before the run.
  private func number(of position: FilePosition) -> Int? {
    if let at = position.place, at.run == place.run { return at.number }
    return before.flatMap { position.isIncluded(in: $0) ? $0.place?.number : nil }
  }

  /// Whether a program without the types has made a version of the file since a moment that is included.
  func hasUntyped(since position: FilePosition) -> Bool {
    number(of: position).map { untyped > $0 } ?? (link(behind: position)?.isUntyped == true)
  }

  /// Whether a version of the file was made from that of another program since a moment that is included.
  func hasMerge(since position: FilePosition) -> Bool {
    number(of: position).map { merge > $0 } ?? (link(behind: position)?.isMerge == true)
  }

  /// Whether more than one version of the file may have followed a moment that is included.
  func hasMany(since position: FilePosition) -> Bool { number(of: position).map { $0 < place.number - 1 } ?? true }
}

/// A moment of a store's file: one of its versions, and how far the journal beside it had gone.
///
/// It names a value: the checksum of a line depends on all lines before it.
struct FilePosition: Hashable, Sendable {
  /// The version of the file that was in place.
  let base: JournalBase
  /// The checksum of the first line of the journal; nil if there was none.
  var journal: UInt32?
  /// The place of the journal among others; nil if it has none.
  var place: JournalPast.Place?
  /// The place behind the last line.
  var end = JournalPosition(number: 0, sum: 0)

  /// Whether it is on the same journal as another moment, with all of its lines. Lines that were cut off may have been
  /// written anew.
  func isOnJournal(behind other: FilePosition) -> Bool {
    journal != nil && journal == other.journal && (end.number > other.end.number || end == other.end)
  }

  /// Whether what a journal says that ends there has all that came up to this moment.
  func isIncluded(in later: FilePosition) -> Bool {
    if end.number == 0, base == later.base { return true }
    if let journal, journal == later.journal {
      return base == later.base && (end.number < later.end.number || end == later.end)
    }
    guard let place, let last = later.place else { return false }
    return place.run == last.run && place.number < last.number
  }
}
