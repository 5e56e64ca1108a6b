import SnapshotStore

/// Values as JSON, for output.
extension UntypedValue {
  /// The value in one line, as a snapshot in JSON has it.
  var json: String {
    var sink = JSONSink(capacity: 64)
    sink.append(self)
    return String(decoding: sink.finish(), as: UTF8.self)
  }
}
