/// One row of the table: an operation of ours and of a peer, and its measurement. Lower is always better.
struct BenchmarkRow {
  let name: String
  /// The measured operation, in one sentence.
  let summary: String
  let unit: MeasurementUnit
  /// The peer.
  let peer: String
  /// The wanted ratio of the peer's figure to ours; nil for a row without a target.
  let target: Double?
  /// The greatest number of rounds; smaller for rows with rounds of seconds.
  let mostRounds: Int
  /// Adjacent rows with the same value are measured in one process.
  let process: String
  /// Whether the process keeps the memory that it has freed; see `ChildProcess`.
  private(set) var keepsMemory = false
  let measure: (Workload, _ rounds: Int) throws -> Measurement

  init(
    _ name: String, _ summary: String, unit: MeasurementUnit, peer: String, target: Double?, mostRounds: Int = .max,
    process: String? = nil,
    measure: @escaping (Workload, _ rounds: Int) throws -> Measurement
  ) {
    self.name = name
    self.summary = summary
    self.unit = unit
    self.peer = peer
    self.target = target
    self.mostRounds = mostRounds
    self.process = process ?? name
    self.measure = measure
  }

  /// The same row, in a process that keeps the memory that it has freed.
  func keepingMemory() -> BenchmarkRow {
    var row = self
    row.keepsMemory = true
    return row
  }
}

/// The figures of both sides, in seconds or bytes.
struct Measurement {
  let ours: Double
  let peer: Double
  /// A remark for people.
  var remark: String?

  /// The peer's figure divided by ours.
  var ratio: Double { peer / ours }
}

/// The unit in which a row is shown.
enum MeasurementUnit: String {
  case milliseconds = "ms"
  case microseconds = "µs"
  case nanoseconds = "ns"
  case megabytes = "MB"

  /// The number of units in a second, or in a byte.
  var scale: Double {
    switch self {
    case .milliseconds: 1e3
    case .microseconds: 1e6
    case .nanoseconds: 1e9
    case .megabytes: 1e-6
    }
  }
}

/// All rows, in the order of the table.
func allRows() -> [BenchmarkRow] {
  (openRows() + saveRows()).map { $0.keepingMemory() } + resaveRows() + journalRows() + transactionRows() + lookupRows()
    + bulkRows() + [
      syncRow(), timelineRow(),
    ]
    + findRows() + liveRows() + changeRows()
    + [scratchpadRow(), stallRow()] + stallBesideRows()
    + [memoryRow(), scaleRow()] + userRecordRows() + otherModuleRows() + latencyRows() + typingRows() + sharedRows()
}
