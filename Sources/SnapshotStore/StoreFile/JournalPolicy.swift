/// Whether a store saves changes to a journal beside its file before it writes the file.
///
/// Without a journal every save writes the whole file. With one, a save appends what changed, as one line of JSON. The
/// file itself is written when the journal has grown, when nothing changes for a while, and when the store is closed.
/// This is called folding. Afterwards there is no journal, or one without changes if others share the file.
///
/// ```swift
/// let options = StoreOptions(policy: .immediate, journal: .beside())
/// let store = try Store<Dashboard>.open(at: url, options: options)
/// ```
///
/// The journal of `notes.json` is `.notes.json.journal`. While it is there, both files together are the store. All of
/// this library reads both. A program that reads `notes.json` alone finds an older value.
public enum JournalPolicy: Equatable, Sendable {
  /// There is no journal. A journal that is there when the store is opened is folded.
  case none
  /// The journal is a hidden file beside the store's.
  ///
  /// - Parameters:
  ///   - size: the size in bytes up to which the journal may grow, even if the file is small. 1 MiB by default.
  ///   - share: the size up to which it may grow, as a share of the file's size. An eighth by default. The larger of
  ///     both limits counts.
  ///   - quietTime: how long nothing must change before the journal is folded. One minute by default. With the policy
  ///     `manual` only a flush that asks for it and `close` fold.
  case beside(size: Int = 1 << 20, share: Double = 0.125, quietTime: Duration = .seconds(60))

  /// The most bytes of the journal of a file; nil if there is to be none.
  func limit(fileSize: Int) -> Int? {
    guard case .beside(let size, let share, _) = self else { return nil }
    let shared = Double(fileSize) * share
    // Also for a share that is no number.
    return max(size, shared >= 0 && shared < Double(Int.max / 2) ? Int(shared) : 0)
  }

  var quietTime: Duration {
    if case .beside(_, _, let quietTime) = self { quietTime } else { .zero }
  }
}
