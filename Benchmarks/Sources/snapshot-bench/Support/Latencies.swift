/// The times of single operations, in order.
struct Latencies {
  private let sorted: [Double]

  init(_ seconds: [Double]) { sorted = seconds.sorted() }

  var max: Double { sorted[sorted.count - 1] }

  /// The time within which a share of the operations ended.
  func percentile(_ percent: Double) -> Double {
    sorted[min(sorted.count - 1, Int(Double(sorted.count) * percent / 100))]
  }
}
