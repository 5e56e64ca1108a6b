public import SnapshotFoundation
public import SnapshotStore

/// The error of `verify(_:matches:record:)`. A test fails with it in any test framework. Its description lists the
/// differences, record by record.
///
/// ```swift
/// do {
///   try verify(store, matches: fixture)
/// } catch let failure as FixtureFailure {
///   if case .differs(let change) = failure.reason { print(change.summary) }
/// }
/// ```
public struct FixtureFailure: Error {
  /// The reason of a failure.
  public enum Reason: Sendable {
    /// The value differs from the fixture. The difference is from the fixture to the value.
    case differs(ModelDifference)
    /// The fixture does not exist.
    case missing
    /// The fixture was written, so nothing was compared. The difference is from the previous fixture to the value; nil
    /// without a readable one.
    case recorded(ModelDifference?)
  }

  /// The reason of the failure.
  public let reason: Reason
  /// The fixture's file.
  public let fixture: URL
}

extension FixtureFailure: CustomStringConvertible {
  /// The differences, with advice.
  public var description: String {
    let path = fixture.path(percentEncoded: false)
    let advice = "To record it anew, pass “record: true” once, or set \(FixtureRecording.variable)=1."
    return switch reason {
    case .differs(let difference):
      "the store differs from the fixture \(path) (+ only the store has it, - only the fixture):\n\(difference)\n\(advice)"
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
