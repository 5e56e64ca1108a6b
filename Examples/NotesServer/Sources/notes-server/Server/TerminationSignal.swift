import Foundation

/// SIGINT and SIGTERM as a sequence, so that the program can save before it ends.
enum TerminationSignal {
  /// The end of a pipe that the handler writes to. Set once, before the handler is installed.
  nonisolated(unsafe) private static var pipeEnd: Int32 = -1

  /// The signals from now on. One that comes before somebody waits for it is kept. A second signal ends the program at
  /// once. Call this once.
  static func signals() -> AsyncStream<Int32> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    let pipe = Pipe()
    pipeEnd = pipe.fileHandleForWriting.fileDescriptor
    for number in [SIGINT, SIGTERM] {
      // Any thread may run the handler, and almost nothing is allowed there.
      _ = signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(TerminationSignal.pipeEnd, &byte, 1)
        signal(number, SIG_DFL)
      }
    }
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while read(pipe.fileHandleForReading.fileDescriptor, &byte, 1) != 1 {}
      continuation.yield(Int32(byte))
      // The pipe must exist as long as the handler.
      withExtendedLifetime(pipe) { while true { pause() } }
    }
    return stream
  }
}
