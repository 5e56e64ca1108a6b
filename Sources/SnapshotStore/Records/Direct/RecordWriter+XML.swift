/// Properties as `XMLWriter` writes them: a line for the key, one or more for the value.
extension RecordWriter {
  mutating func xmlKey(_ key: StaticString) {
    isFirst = false
    sink.append("\t\t\t<key>")
    sink.append(key)
    sink.append("</key>\n\t\t\t")
  }

  mutating func xmlTexts(_ texts: [String]) {
    if texts.isEmpty { return sink.append("<array/>\n") }
    sink.append("<array>\n")
    for text in texts {
      sink.append("\t\t\t\t")
      XMLText.append(text, to: &sink)
      sink.append("\n")
    }
    sink.append("\t\t\t</array>\n")
  }

  /// A dictionary of nothing is one tag.
  mutating func endEmptyXML() {
    sink.removeLast("<dict>\n".utf8.count)
    sink.append("<dict/>\n")
  }
}
