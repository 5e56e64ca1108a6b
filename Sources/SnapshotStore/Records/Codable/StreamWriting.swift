/// Writes `Codable` records as text, without items, as long as they encode themselves in an ordinary way.
///
/// A record that falls back or gives an error is left to `ItemEncoder`. If that happens with most of the first records,
/// the others are not tried.
struct StreamWriting {
  private let form: RecordForm
  private var stream: EncodingStream?
  private var written = 0
  private var left = 0
  /// What a record has shown that was encoded in both ways.
  private(set) var proof: WritingProof

  /// - Parameter proof: what earlier records of the type have shown.
  init(_ form: RecordForm, _ proof: WritingProof = .none) {
    self.form = form
    self.proof = proof
  }

  /// Appends a record. Returns false and appends nothing if the record is left.
  mutating func append(_ record: some Encodable, to records: inout RecordWriter) -> Bool {
    guard left < written + 16, proof != .different else { return false }
    if stream == nil { stream = EncodingStream(form) }
    let isAppended = records.append { sink in
      let isEncoded = stream?.encode(record, to: &sink) == true
      // An encoder was kept. The next record gets another stream.
      let isKept = !isKnownUniquelyReferenced(&stream)
      if isKept { stream = nil }
      return isEncoded && !isKept
    }
    if isAppended { written += 1 } else { left += 1 }
    return isAppended
  }

  /// Notes whether a record that was encoded in both ways has the same bytes. If not, no other one is tried.
  mutating func prove(_ isSame: Bool) { proof = isSame ? .same : .different }
}

/// What a record has shown that was written both quickly and through an ``Item``.
enum WritingProof: Sendable {
  /// No record was written in both ways.
  case none
  /// Both ways gave the same bytes.
  case same
  /// The ways differ, so the quick one is not used.
  case different
}
