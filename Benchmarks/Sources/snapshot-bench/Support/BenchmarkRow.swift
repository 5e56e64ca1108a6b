/// One row of the table: something that ours and a peer both do, and how they are measured. Lower is always better.
struct BenchmarkRow {
  let name: String
  /// What is measured, in one sentence.
  let summary: String
  let unit: MeasurementUnit
  /// What the peer is.
  let peer: String
  /// How many times better ours has to be; nil if the row is only for knowing.
  let target: Double?
  /// Rows whose single round takes seconds are content with fewer rounds.
  let mostRounds: Int
  /// Rows beside each other that have this in common are measured in one process.
  let process: String
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
}

/// What was measured on both sides, in seconds or bytes.
struct Measurement {
  let ours: Double
  let peer: Double
  /// More about it, for people.
  var remark: String?

  /// How many times better ours is.
  var ratio: Double { peer / ours }
}

/// In what a row is shown.
enum MeasurementUnit: String {
  case milliseconds = "ms"
  case microseconds = "µs"
  case nanoseconds = "ns"
  case megabytes = "MB"

  /// How many of the unit are in a second, or in a byte.
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
  openRows() + saveRows() + resaveRows() + transactionRows() + lookupRows() + bulkRows() + [syncRow(), timelineRow()]
    + findRows() + liveRows() + changeRows()
    + [scratchpadRow(), stallRow()] + stallBesideRows()
    + [memoryRow(), scaleRow()] + userRecordRows() + otherModuleRows() + latencyRows()
}
