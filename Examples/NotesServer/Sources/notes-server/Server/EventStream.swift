import FlyingSocks

/// Server-sent events as the body of a response. It ends when the browser has gone or the outbox is finished.
struct EventStream: AsyncBufferedSequence {
  typealias Element = UInt8

  let outbox: Outbox
  let rings: AsyncStream<Void>

  func makeAsyncIterator() -> Iterator { Iterator(outbox: outbox, rings: rings.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate let outbox: Outbox
    fileprivate var rings: AsyncStream<Void>.Iterator
    private var rest: ArraySlice<UInt8> = []

    fileprivate init(outbox: Outbox, rings: AsyncStream<Void>.Iterator) {
      (self.outbox, self.rings) = (outbox, rings)
    }

    mutating func next() async throws -> UInt8? {
      if rest.isEmpty { rest = try await nextBuffer(suggested: 1)?[...] ?? [] }
      return rest.popFirst()
    }

    /// All bytes that wait, so that events of one moment arrive in one piece.
    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      while await rings.next() != nil {
        let bytes = outbox.take()
        if !bytes.isEmpty { return bytes }
      }
      return nil
    }
  }
}
