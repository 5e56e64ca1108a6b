/// The times that single operations took, in order.
struct Latencies {
  private let sorted: [Double]

  init(_ seconds: [Double]) { sorted = seconds.sorted() }

  var max: Double { sorted[sorted.count - 1] }

  /// The time within which a share of the operations was done.
  func percentile(_ percent: Double) -> Double {
    sorted[min(sorted.count - 1, Int(Double(sorted.count) * percent / 100))]
  }

  /// In words, in microseconds.
  var summary: String {
    let parts = [
      ("median", percentile(50)), ("p99", percentile(99)), ("p99.9", percentile(99.9)), ("max", max),
    ]
    return parts.map { "\($0) \(Report.number($1 * 1e6)) µs" }.joined(separator: ", ")
  }
}
