extension Journal {
  /// Applies lines to a value and its unknown content.
  ///
  /// - Parameters:
  ///   - lines: consecutive lines of this journal.
  ///   - idKeys: where the records of tables have their ids, as the header of the file says.
  /// - Throws: the errors of decoding a file, with the line and the place in the data; `uniqueKeyTaken`.
  func replay<Root: Model>(
    _ lines: ArraySlice<Line>, onto content: SnapshotContent<Root>, _ options: DecodingOptions,
    idKeys: [ExactText: IDKey], limits: ReadLimits
  ) throws(SnapshotError) -> SnapshotContent<Root> {
    fatalError("not yet")
  }
}
