import SnapshotStore

/// Texts that are compared by their bytes.
extension String {
  /// Whether both are the same bytes. `==` takes texts in different normalisations for one.
  func hasSameBytes(as other: String) -> Bool { ExactText(self) == ExactText(other) }
}
