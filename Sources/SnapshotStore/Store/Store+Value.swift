public import SnapshotFoundation

/// A file with one value.
extension Store {
  /// Opens the file of one value, and creates it with the initial value if there is none.
  ///
  /// ```swift
  /// struct Preferences: Codable, Equatable, Sendable {
  ///   var fontSize = 14
  ///   var recent: [String] = []
  /// }
  ///
  /// let preferences = try Store.value(Preferences(), at: url)
  /// try preferences.write { $0.fontSize += 1 }
  /// print(preferences.fontSize)
  /// ```
  ///
  /// The value needs no `Record`, no ``Model`` and no ``Schema``. Everything else is as with any store: saving in the
  /// background, the journal, sharing, merging by property, undo and observation. The type of the store is
  /// `Store<ValueModel<Preferences>>`. `preferences.value` is the whole value.
  ///
  /// - Parameters:
  ///   - initial: the value of a new file. If an existing file has no key for a property, the property is as in this
  ///     value. An optional property is nil then, because nil has no key in a file.
  ///   - url: the file: `.json`, `.plist`, `.bplist` or `.ndjson`.
  ///   - options: the options for opening and saving.
  /// - Throws: the errors of ``open(at:options:)``; `unencodable` if the value has no named properties.
  public static func value<Value>(
    _ initial: Value, at url: URL, options: StoreOptions = StoreOptions()
  ) throws -> Store where Root == ValueModel<Value> {
    try open(
      at: url, options: options, fileSystem: POSIXFileSystem(), scheduler: DispatchScheduler(), exit: .shared,
      initial: ValueModel(initial))
  }
}
