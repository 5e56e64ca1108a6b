import SnapshotSystem

/// A number that differs between all living threads; never 0.
func currentThreadIdentity() -> UInt { Differences.threadNumber }
