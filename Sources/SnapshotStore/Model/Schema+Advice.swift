/// Advice in errors about files, for those who use the library.
extension Schema {
  /// For content that does not match its checksum.
  static var adviceOnChecksum: String {
    "If the edit is yours, delete the checksum from the file: one without a checksum opens. If it is not, "
      + "SnapshotFile.generations(of:) lists older versions, and Salvaged reads what can be read."
  }

  /// For a file of another schema.
  ///
  /// - Parameter other: the name of that schema.
  static func adviceOnSchema(_ other: String) -> String {
    if other == "value" { return "It is the file of one value: Store.value(_:at:) opens it." }
    return "Check the path, or open the file with the model whose schema has that name."
  }

  /// For a damaged file with a kept generation.
  ///
  /// - Parameter date: the date of the generation.
  static func adviceOnDamage(keptAt date: String) -> String {
    "A version of \(date) was kept: SnapshotFile.generations(of:) has it, and StoreOptions.recovery opens it."
  }

  /// For a key that a record lacks.
  ///
  /// - Parameter isOwn: whether it is a key of the record itself, not of a nested value.
  func adviceOnMissing(_ key: String, in table: String, isOwn: Bool) -> String {
    if flattened == "value", table == "value" {
      return "Open it with Store.value(_:at:), whose initial value has all properties."
    }
    let literal =
      isOwn ? ", declare DefaultValue(\"\(table)\", \"\(key.escapedForMessage(limit: 60))\", …) in the schema" : ""
    return "If the property is newer than the file, make it optional\(literal), or \(migration)."
  }

  /// For a value of another type than its property.
  var adviceOnType: String {
    "If the type of the property has changed since the file was written, \(migration) that changes the values."
  }

  private var migration: String { "raise the version of the schema to \(version + 1) with a Migration" }
}
