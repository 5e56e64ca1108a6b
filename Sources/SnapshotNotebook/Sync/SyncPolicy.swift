import Foundation
import SnapshotStore

/// The rule that decides which value wins where two copies of a notebook differ.
///
/// *Ours* and *theirs* are the sides of a `MergePolicy`: the notebook that is merged into, and what comes in.
public enum SyncPolicy: CaseIterable, Sendable {
  /// Each property comes from the copy that changed it later. Changes of the same second are decided by comparing the
  /// values, so that merging in either direction gives the same result.
  case newest
  /// Our values, whatever the dates. Only records that are new there are added.
  ///
  /// The dates stay too, so our older values do not win on the other side. With ``newest`` the other copy keeps its own
  /// values. With ``theirs`` it takes over ours.
  case ours
  /// Their values, whatever the dates. Deletions without a date are followed. Properties that they do not give stay.
  /// The later date of a property is kept.
  case theirs
}

/// The policies, and one more rule for merges that report what no date decides.
enum SyncRule {
  case newest
  /// As `newest`, but changes of the same second keep our value.
  case newestOrOurs
  case ours
  case theirs

  init(_ policy: SyncPolicy) {
    switch policy {
    case .newest: self = .newest
    case .ours: self = .ours
    case .theirs: self = .theirs
    }
  }
}
