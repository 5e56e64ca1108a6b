import Foundation
import SnapshotStore

/// Who wins where two copies of a notebook differ.
public enum SyncPolicy: String, CaseIterable, Sendable {
  /// Each property as the copy has it that changed it later. What is of the same second is decided by comparing the values,
  /// so that merging in either direction comes to the same.
  case newest
  /// Ours, whatever the dates say: what is here stays as it is, and only what is new there is added.
  ///
  /// The dates stay too. So what is older here does not win there in turn: by ``newest`` the other copy keeps its own, unless
  /// it takes over ours by ``incoming``.
  case local
  /// Theirs, whatever the dates say, deletions without a date included; what they do not give at all stays. Of the dates of
  /// a property the later one is kept.
  case incoming
}

/// The policies, and one more that is only for merges in which people are told of what nothing decides.
enum SyncRule {
  case newest
  /// As `newest`, but what is of the same second stays as ours has it.
  case newestOrOurs
  case ours
  case theirs

  init(_ policy: SyncPolicy) {
    switch policy {
    case .newest: self = .newest
    case .local: self = .ours
    case .incoming: self = .theirs
    }
  }
}
