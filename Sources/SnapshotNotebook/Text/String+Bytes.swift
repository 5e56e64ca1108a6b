import SnapshotStore

/// Comparison of texts by their bytes.
extension String {
  /// Whether both texts have the same bytes. `==` treats texts in different normalisations as equal.
  func hasSameBytes(as other: String) -> Bool { ExactText(self) == ExactText(other) }
}
