public import SnapshotFoundation
public import SnapshotStore

/// What `verify(_:matches:record:)` throws, so that a test fails with it in any test framework: its description says what
/// differs, record by record.
public struct FixtureFailure: Error {
  /// Why the test fails.
  public enum Reason: Sendable {
    /// The value is not what the fixture holds: what turns the fixture into the value.
    case differs(ModelDifference)
    /// There is no fixture.
    case missing
    /// The fixture was written, so nothing was compared: what turned the one before into the value; nil if there was none that
    /// could be read.
    case recorded(ModelDifference?)
  }

  /// Why the test fails.
  public let reason: Reason
  /// The fixture's file.
  public let fixture: URL
}

extension FixtureFailure: CustomStringConvertible {
  /// What differs, and what to do about it.
  public var description: String {
    let path = fixture.path(percentEncoded: false)
    let advice = "To record it anew, pass “record: true” once, or set \(FixtureRecording.variable)=1."
    return switch reason {
    case .differs(let difference):
      "the store is not what the fixture \(path) holds (+ only the store has it, - only the fixture):\n\(difference)\n\(advice)"
    case .missing: "there is no fixture at \(path). \(advice)"
    case .recorded(let difference):
      "the fixture \(path) was recorded; look at it, and run the test again without recording."
        + (difference.map { "\n\($0)" } ?? "")
    }
  }
}

extension FixtureFailure: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
