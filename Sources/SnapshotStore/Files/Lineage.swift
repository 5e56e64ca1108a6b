/// How far the saves of all programs with this library have gone, in one run. The lock file has it for the next holder.
///
/// It proves whether the file beside it was made from a version that a program knows. Then each save in between took in
/// all that was there before. A file without a proof may be that of another program, which read any version. So the
/// lineage need not be durable, and may be lost. Then the file has no proof.
///
/// A run begins with a file that nobody can say the origin of. It is a random number, and counts the replacements. It
/// goes on when another program puts a file in place. The next save is made from that file and from the last version
/// that its program knows, so it may lack the ones after that.
struct Lineage: Equatable, Sendable {
  /// One version of the file. Two versions never agree in all of it, as long as nobody sets dates.
  struct Version: Equatable, Sendable {
    let inode: UInt64
    let size: Int
    let modified: Int64

    init(inode: UInt64, size: Int, modified: Int64) {
      self.inode = inode
      self.size = size
      self.modified = modified
    }

    init(_ status: FileStatus) {
      inode = status.inode
      size = status.size
      modified = status.modified
    }
  }

  /// The end of the journal beside the file. What follows it was not acknowledged.
  struct JournalEnd: Equatable, Sendable {
    /// The number of bytes.
    let size: Int
    /// The number of the last line, and its checksum.
    let number: Int
    let sum: UInt32

    /// Whether the journal has the line that ends there. Its checksum depends on all lines before it.
    func isIn(_ journal: [UInt8]) -> Bool { journal.count >= size && isAtEnd(of: journal[..<size]) }

    /// The same for bytes up to there.
    func isAtEnd(of bytes: some BidirectionalCollection<UInt8>) -> Bool {
      bytes.reversed().starts(with: ",\"sum\":\(sum)}\n".utf8.reversed())
    }
  }

  /// A fold that has written nothing but what the file before and its journal held. A store
  /// that has that journal open need not read the file.
  struct Fold: Equatable, Sendable {
    /// The file of the journal.
    let journal: UInt64
    /// The checksum of the file in place, as the mark in the journal says it.
    let checksum: UInt32
  }

  let run: UInt64
  /// The number of replacements since the run began.
  private(set) var number = 0
  /// The version in place; nil if there is no file.
  private(set) var file: Version?
  /// The version that is about to be put in place. After a crash it may be there already.
  private(set) var next: Version?
  /// Nil if there is no journal that the file needs.
  var journal: JournalEnd?
  /// Nil if the version in place was made in another way.
  var fold: Fold?
  /// Whether another program has put the file in place. The number is that of the last save before.
  private(set) var isForeign = false
  /// The number of the last save that was made from more than the version before it; 0 if there is none. It took in the
  /// file of another program, or one of which nobody could say what it was made from.
  private(set) var lastMerge = 0
  /// The number of the last save by a program without the types; 0 if there is none. Its changes are not settled.
  private(set) var lastUntyped = 0
  /// The saves that the ones behind them may lack. The file of another program took their place before they were read.
  private(set) var overwritten: ClosedRange<Int>?
}

extension Lineage {
  /// A new run.
  ///
  /// - Parameters:
  ///   - run: a random number.
  ///   - file: the file in place; nil if there is none.
  init(run: UInt64, file: FileStatus?) {
    self.run = run
    self.file = file.map(Version.init)
  }

  /// A new run that begins with the same file.
  func anew() -> Lineage {
    var lineage = Lineage(run: .random(in: .min ... .max), file: nil)
    lineage.file = file
    return lineage
  }

  /// Whether the file in place is this one.
  func isOf(_ file: FileStatus?) -> Bool { file.map(Version.init) == self.file }

  /// The same lineage, if it knows the file in place. A replacement that was cut off behind the rename is completed.
  ///
  /// - Parameter file: the file in place; nil if there is none.
  func continued(with file: FileStatus?) -> Lineage? {
    let version = file.map(Version.init)
    if version == self.file { return self }
    guard let version, version == next else { return nil }
    var lineage = self
    lineage.advance(to: version)
    return lineage
  }

  /// The same lineage with a file that another program has put in place; nil if that has removed it.
  func withForeignFile(_ file: FileStatus?) -> Lineage {
    var lineage = self
    lineage.file = file.map(Version.init)
    lineage.next = nil
    lineage.fold = nil
    lineage.isForeign = true
    return lineage
  }

  /// Whether the file in place was made from a version of another time of the same run, or is that version.
  ///
  /// - Parameter missed: the last saves up to that version, if the one that knows it has not read them.
  func descends(from known: Lineage, without missed: ClosedRange<Int>? = nil) -> Bool {
    if run != known.run || number < known.number { return false }
    if number == known.number { return isForeign == known.isForeign && (!isForeign || file == known.file) }
    let read = missed.map { $0.lowerBound - 1 } ?? known.number
    return !isForeign && read >= 0 && overwritten?.contains(read) != true
  }

  /// Whether the same saves were made. A save that was announced, and not made, does not count.
  func hasSameSaves(as other: Lineage) -> Bool {
    run == other.run && number == other.number && file == other.file && journal == other.journal
      && isForeign == other.isForeign
  }

  /// Notes saves that the next one may lack.
  mutating func overwrite(_ saves: ClosedRange<Int>) {
    let old = overwritten ?? saves
    overwritten = min(old.lowerBound, saves.lowerBound)...max(old.upperBound, saves.upperBound)
  }

  /// Notes the version that is about to be put in place.
  ///
  /// - Parameters:
  ///   - isMerge: whether it was made from more than the version in place.
  ///   - isUntyped: whether its writer does not have the types.
  mutating func prepare(_ status: FileStatus, isMerge: Bool = false, isUntyped: Bool = false) {
    next = Version(status)
    if isMerge { lastMerge = number + 1 }
    // A save that was announced, and not made, has the same number.
    lastUntyped = isUntyped ? number + 1 : min(lastUntyped, number)
  }

  /// Notes that a store with the types has settled all saves.
  mutating func settle() { lastUntyped = 0 }

  /// Notes that a version was put in place.
  mutating func advance(to status: FileStatus) {
    assert(next == Version(status), "another version was announced than the one that is in place")
    advance(to: Version(status))
  }

  private mutating func advance(to version: Version) {
    number += 1
    if isForeign { lastMerge = number }
    isForeign = false
    file = version
    next = nil
    fold = nil
  }
}
