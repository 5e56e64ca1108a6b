/// Writes a document as JSON: the header on two lines, then one record a line, so that a changed note is one changed
/// line to `git diff`.
///
///     {"snapshot":{"checksum":2715303405,
///     "schema":"notebook","version":1},
///     "attachments":[],
///     "notes":[
///     {"id":1001,"text":"…"},
///     {"id":1002,"text":"…"}
///     ]}
struct JSONWriter: DocumentWriter {
  private var text = JSONText()
  private var isFirst = true

  init(schema: String, version: Int) {
    text.raw("\"schema\":")
    text.append(schema)
    text.raw(",\"version\":")
    text.append(Item(.of(version)))
    text.raw("}")
  }

  mutating func beginTable(_ name: String) {
    text.raw(",\n")
    text.append(name)
    text.raw(":[")
    isFirst = true
  }

  mutating func write(_ record: Item) {
    isFirst ? text.raw("\n") : text.raw(",\n")
    isFirst = false
    text.append(record)
  }

  mutating func endTable() {
    isFirst ? text.raw("]") : text.raw("\n]")
  }

  mutating func finish() -> [UInt8] {
    text.raw("}\n")
    return text.bytes
  }
}

/// Writes a document as newline-delimited JSON.
///
///     {"snapshot":{"checksum":2715303405}}
///     {"snapshot":{"schema":"notebook","version":1}}
///     {"table":"notes","record":{"id":1001,"text":"…"}}
struct NDJSONWriter: DocumentWriter {
  private var text = JSONText()
  private var table = ""

  init(schema: String, version: Int) {
    text.raw("{\"snapshot\":{\"schema\":")
    text.append(schema)
    text.raw(",\"version\":")
    text.append(Item(.of(version)))
    text.raw("}}\n")
  }

  mutating func beginTable(_ name: String) { table = name }

  mutating func write(_ record: Item) {
    text.raw("{\"table\":")
    text.append(table)
    text.raw(",\"record\":")
    text.append(record)
    text.raw("}\n")
  }

  mutating func endTable() {}

  mutating func finish() -> [UInt8] { text.bytes }
}
