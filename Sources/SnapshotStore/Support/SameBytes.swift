import SnapshotSystem

/// Compares two stretches of memory. O(count), many bytes at a time.
func haveSameBytes(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Bool { memcmp(a, b, count) == 0 }
