/// Differences as JSON, for programs.
extension ModelDifference {
  /// The difference as a JSON array, with one record on each line:
  ///
  /// ```json
  /// {"table":"notes","id":1001,"change":"updated","properties":[{"name":"archived","old":false,"new":true}]}
  /// ```
  ///
  /// `old` or `new` is omitted if that side has no value. The id is as the record writes it. A single value has the id
  /// null, and its name under `table`.
  public var json: String {
    if records.isEmpty { return "[]\n" }
    return "[\n" + records.map(\.json).joined(separator: ",\n") + "\n]\n"
  }
}

extension RecordDifference {
  fileprivate var json: String {
    let members = [
      Item.Member(key: "table", value: Item(.string(table))),
      Item.Member(key: "id", value: idItem),
      Item.Member(key: "change", value: Item(.string(change.rawValue))),
      Item.Member(key: "properties", value: Item(.array(properties.map(\.item)))),
    ]
    return Item(.dictionary(members)).json
  }
}

extension RecordDifference.Property {
  fileprivate var item: Item {
    var members = [Item.Member(key: "name", value: Item(.string(name)))]
    if let old { members.append(Item.Member(key: "old", value: old)) }
    if let new { members.append(Item.Member(key: "new", value: new)) }
    return Item(.dictionary(members))
  }
}
