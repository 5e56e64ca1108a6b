import Foundation
import Synchronization

/// The events of a window that its browser has not received yet.
///
/// A browser that does not read gets no more than a limit. The stream then ends, and the page connects again.
final class Outbox: Sendable {
  private static let limit = 16 << 20
  private let waiting = Mutex<[UInt8]>([])
  private let bell: AsyncStream<Void>.Continuation

  private init(bell: AsyncStream<Void>.Continuation) { self.bell = bell }

  /// An outbox, and a sequence with an element whenever there is something to take. The outbox does not hold the
  /// sequence: when the connection drops it, the outbox learns that the browser has gone.
  static func make() -> (outbox: Outbox, rings: AsyncStream<Void>) {
    let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    return (Outbox(bell: bell), rings)
  }

  /// Adds an event. See the page's connection.js for the other end.
  func send(_ name: StaticString, _ payload: some Encodable) {
    guard let json = try? JSONEncoder().encode(payload) else { return }
    add(Array("event: \(name)\ndata: ".utf8) + json + Array("\n\n".utf8))
  }

  /// Adds a comment, which the page ignores. Writing it shows whether the browser is still there.
  func sendNothing() { add(Array(":\n\n".utf8)) }

  /// Ends the stream.
  func finish() { bell.finish() }

  /// Calls a function when the stream has ended, or when the browser has gone.
  func onEnd(_ body: @escaping @Sendable () -> Void) { bell.onTermination = { _ in body() } }

  /// Removes and returns all bytes.
  func take() -> [UInt8] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  private func add(_ bytes: [UInt8]) {
    let isFull = waiting.withLock { waiting in
      waiting += bytes
      return waiting.count > Self.limit
    }
    if isFull { bell.finish() } else { bell.yield() }
  }
}
