/// Errors of `Codable`, with their places in the file.
extension SnapshotError {
  /// Converts a failed decoding of a record to an error with the place in the file.
  ///
  /// - Parameters:
  ///   - path: the place of the record in the data, for example `notes[17]`.
  ///   - item: the record.
  static func decoding(_ error: any Error, of item: Item, at path: String, in source: SourceText) -> SnapshotError {
    guard let error = error as? DecodingError else {
      return SnapshotError(
        .invalidValue, "\(error)".escapedForMessage(), position: source.position(item.offset), dataPath: path)
    }
    let (code, context): (Code, DecodingError.Context) =
      switch error {
      case .keyNotFound(_, let context): (.missingKey, context)
      case .valueNotFound(_, let context): (.invalidValue, context)
      case .typeMismatch(_, let context), .dataCorrupted(let context): (.invalidValue, context)
      @unknown default: (.invalidValue, .init(codingPath: [], debugDescription: "\(error)"))
      }
    let issue = context.underlyingError as? DecodingIssue
    let unread = context.underlyingError as? UnreadKey
    let offset = issue?.offset ?? unread?.offset ?? item.offset(of: context.codingPath)
    let position = source.position(offset)
    let dataPath = context.codingPath.reduce(into: path) { $0 += Self.step($1) }
    let message = context.debugDescription.escapedForMessage()
    return SnapshotError(
      issue?.code ?? code, message, advice: unread == nil ? nil : UnreadKey.advice, position: position,
      dataPath: dataPath)
  }

  /// The same with advice.
  ///
  /// - Parameter schema: the schema of the record.
  static func decoding<Root>(
    _ error: any Error, of item: Item, at path: String, in source: SourceText, table: String, _ schema: Schema<Root>
  ) -> SnapshotError {
    var failure = decoding(error, of: item, at: path, in: source)
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      failure.advice = nil
      let isOwn = context.codingPath.isEmpty
      return failure.advising(.record, schema.adviceOnMissing(key.stringValue, in: table, isOwn: isOwn))
    case DecodingError.typeMismatch, DecodingError.valueNotFound:
      failure.advice = nil
      return failure.advising(.record, schema.adviceOnType)
    default: return failure
    }
  }

  /// Converts a failed encoding of a record to an error.
  static func encoding(_ error: any Error, at path: String) -> SnapshotError {
    guard case .invalidValue(_, let context)? = error as? EncodingError else {
      return SnapshotError(.unencodable, "\(error)".escapedForMessage(), dataPath: path)
    }
    let dataPath = context.codingPath.prefix(8).reduce(into: path) { $0 += Self.step($1) }
    return SnapshotError(.unencodable, context.debugDescription.escapedForMessage(), dataPath: dataPath)
  }

  private static func step(_ key: any CodingKey) -> String {
    if key is PathKey, let index = key.intValue { return "[\(index)]" }
    return "." + key.stringValue.escapedForMessage(limit: 60)
  }
}

extension Item {
  /// The offset of the value at the end of a path, or of the last value on the path that exists.
  fileprivate func offset(of path: [any CodingKey]) -> Int {
    var item = self
    for key in path {
      switch item.content {
      case .dictionary: if let next = item[ExactText(key.stringValue)] { item = next } else { return item.offset }
      case .array(let items):
        guard let index = key.intValue, items.indices.contains(index) else { return item.offset }
        item = items[index]
      default: return item.offset
      }
    }
    return item.offset
  }
}
