import Foundation
import SnapshotStore

/// The place of the store when the program ends.
enum Lifetime: String { case global, local, deallocated }

/// The way in which the program ends.
enum Ending: String {
  /// The last line of the program.
  case end
  /// `exit` on the main thread, on another one while the main thread waits for ever, and on two at once.
  case exit, exitElsewhere, exitTwice
  /// `exit` inside a transaction, and beside one that never ends.
  case exitInside, exitBeside
  /// `exit` where an external change is reported, and on the main thread while that waits for it.
  case exitReported, exitBesideReport
  /// A signal while the program waits for ever, and one that wakes `main`, which then ends.
  case signal, signalWakes
  /// The end that saves nothing: the checks must detect it.
  case abrupt
}

let policies: [String: SavePolicy] = [
  "automatic": .automatic(), "immediate": .immediate, "manual": .manual,
  "late": .automatic(delay: .seconds(3_600), maxDelay: .seconds(3_600)),
]

struct Line: Record {
  let id: Int
  var text: String
}

struct Page: Model {
  var lines = Table<Line>()

  static let schema = Schema<Page>("page", version: 1, Field("lines", \.lines))
}

func open(_ url: URL, _ policy: SavePolicy, _ ending: Ending) throws -> Store<Page> {
  var options = StoreOptions(policy: policy)
  options.flushesOnSignals = ending == .signal || ending == .signalWakes
  if ending == .exitReported || ending == .exitBesideReport {
    options.externalChanges = .merge
    options.onExternalChange = { _ in
      if ending == .exitReported { exit(0) }
      isReported.signal()
      never()
    }
  }
  return try Store<Page>.open(at: url, options: options)
}

private let isReported = DispatchSemaphore(value: 0)

private func never() -> Never {
  while true { DispatchSemaphore(value: 0).wait() }
}

/// Half of the records are flushed. A store with the policy `manual` must keep only these.
func write(_ count: Int, to store: Store<Page>) throws {
  for id in 0..<count {
    try store.write { try $0.lines.insert(Line(id: id, text: String(repeating: "text ", count: 20))) }
    if id == count / 2 { try store.flushAndWait() }
  }
}

func end(_ ending: Ending, _ store: Store<Page>?, _ url: URL, savesSoon: Bool) throws {
  FileHandle.standardOutput.write(Data("END\n".utf8))
  switch ending {
  case .end: return
  case .abrupt: _exit(0)
  case .exit: exit(0)
  case .exitElsewhere:
    Thread.detachNewThread { exit(0) }
    never()
  case .exitTwice:
    Thread.detachNewThread { exit(0) }
    exit(0)
  case .exitInside:
    try store?.write { page in
      page.lines.removeAll()
      exit(0)
    }
  case .exitBeside:
    let isInside = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? store?.write { _ in
        isInside.signal()
        never()
      }
      isInside.signal()
    }
    isInside.wait()
    exit(0)
  case .exitReported, .exitBesideReport:
    guard let store else { return }
    // Another program adds a record to the file. If the store saves by itself, it must not do so in between.
    if savesSoon { try store.flushAndWait() }
    var page = try SnapshotFile.read(Page.self, at: url)
    try page.lines.insert(Line(id: -1, text: "from elsewhere"))
    try Data(SnapshotFile.encode(page, as: .json)).write(to: url, options: .atomic)
    isReported.wait()
    exit(0)
  case .signal: while true { pause() }
  case .signalWakes: pause()
  }
}
