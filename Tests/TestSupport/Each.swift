import Synchronization
package import Testing

// Swift Testing prints a line for each argument of a test. These check many inputs without a line for each.

/// Runs a check for every input. After an issue of a check, another issue names the input. The other inputs are still
/// checked.
package func each<Input>(
  _ inputs: some Sequence<Input>, sourceLocation: SourceLocation = #_sourceLocation, _ check: (Input) throws -> Void
) {
  for input in inputs {
    let failures = Failures()
    do {
      // No issue is a known one. This is how the library reports each issue when it is recorded.
      try withKnownIssue(isIntermittent: true) {
        try check(input)
      } matching: { _ in
        failures.note()
      }
    } catch {
      failures.caught(error, sourceLocation)
    }
    failures.name(input, sourceLocation)
  }
}

/// Runs a check for every pair of inputs.
package func each<First, Second>(
  _ first: some Collection<First>, _ second: some Collection<Second>,
  sourceLocation: SourceLocation = #_sourceLocation, _ check: (First, Second) throws -> Void
) {
  let pairs = first.lazy.flatMap { one in second.lazy.map { (one, $0) } }
  each(pairs, sourceLocation: sourceLocation) { pair in try check(pair.0, pair.1) }
}

/// Runs an asynchronous check for every input, one after the other.
package func each<Input>(
  _ inputs: some Sequence<Input>, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ check: (Input) async throws -> Void
) async {
  for input in inputs {
    let failures = Failures()
    do {
      try await withKnownIssue(isIntermittent: true) {
        try await check(input)
      } matching: { _ in
        failures.note()
      }
    } catch {
      failures.caught(error, sourceLocation)
    }
    failures.name(input, sourceLocation)
  }
}

/// Runs an asynchronous check for every pair of inputs, one after the other.
package func each<First, Second>(
  _ first: some Collection<First>, _ second: some Collection<Second>, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ check: (First, Second) async throws -> Void
) async {
  let pairs = first.flatMap { one in second.map { (one, $0) } }
  await each(pairs, sourceLocation: sourceLocation) { pair in try await check(pair.0, pair.1) }
}

/// Whether a check has failed.
private final class Failures: Sendable {
  private let hasAny = Mutex(false)

  /// Always false: the issue is recorded as it is.
  func note() -> Bool {
    hasAny.withLock { $0 = true }
    return false
  }

  func caught(_ error: any Error, _ sourceLocation: SourceLocation) {
    // The error of `#require` was recorded before.
    if !(error is ExpectationFailedError) { Issue.record(error, sourceLocation: sourceLocation) }
    _ = note()
  }

  func name(_ input: Any, _ sourceLocation: SourceLocation) {
    guard hasAny.withLock({ $0 }) else { return }
    let name = (input as? any CustomTestStringConvertible)?.testDescription ?? String(reflecting: input)
    Issue.record("with the input \(name.prefix(500))", sourceLocation: sourceLocation)
  }
}
