/// The text of values, in each format that is text.
extension EncodingStream {
  // MARK: Containers

  /// Appends a key, and what separates it from the member before. Returns the place of the key.
  func append(key: String, isFirst: Bool) -> Range<Int> {
    switch state.pointee.form {
    case .json: return JSONText.append(key: key, isFirst: isFirst, to: &state.pointee.sink)
    case .xml, .binary:
      indent(state.pointee.level)
      let start = state.pointee.sink.count
      XMLText.append(key: key, to: &state.pointee.sink)
      defer { endLine() }
      return start..<state.pointee.sink.count
    }
  }

  /// Appends what separates an element from the one before.
  func appendSeparator() { if state.pointee.form == .json { state.pointee.sink.append(UInt8(ascii: ",")) } }

  /// Begins a container. The frame of a record is written by the caller.
  func begin(_ frame: Frame) {
    if state.pointee.depth == 1 { return }
    switch (state.pointee.form, frame.kind) {
    case (.json, .keyed): state.pointee.sink.append(UInt8(ascii: "{"))
    case (.json, _): state.pointee.sink.append(UInt8(ascii: "["))
    case (_, .keyed): appendLine("<dict>", frame.level)
    case (_, _): appendLine("<array>", frame.level)
    }
  }

  /// Completes a value. A value that encoded nothing is an empty dictionary.
  func end(_ frame: Frame) {
    switch (state.pointee.form, frame.kind) {
    case (_, .single): break
    case (.json, .keyed): state.pointee.sink.append(UInt8(ascii: "}"))
    case (.json, .unkeyed): state.pointee.sink.append(UInt8(ascii: "]"))
    case (.json, .empty): state.pointee.sink.append("{}")
    case (_, _) where frame.count == 0:
      state.pointee.sink.removeLast(state.pointee.sink.count - frame.start)
      appendLine(frame.kind == .unkeyed ? "<array/>" : "<dict/>", frame.level)
    case (_, .keyed), (_, .empty): appendLine("</dict>", frame.level)
    case (_, .unkeyed): appendLine("</array>", frame.level)
    }
  }

  private func appendLine(_ text: StaticString, _ level: Int) {
    indent(level)
    state.pointee.sink.append(text)
    endLine()
  }

  private func indent(_ level: Int) { state.pointee.sink.append(UInt8(ascii: "\t"), times: level) }
  private func endLine() { state.pointee.sink.append(UInt8(ascii: "\n")) }

  // MARK: Values

  func append(_ value: Bool) {
    if state.pointee.form == .json { return state.pointee.sink.append(value ? "true" : "false") }
    appendLine(value ? "<true/>" : "<false/>", state.pointee.level)
  }

  func append(integer value: some FixedWidthInteger) {
    guard let integer = Int64(exactly: value) else { return append(Item(.of(value))) }
    if state.pointee.form == .json { return state.pointee.sink.append(decimal: integer) }
    indent(state.pointee.level)
    XMLText.append(integer: integer, to: &state.pointee.sink)
    endLine()
  }

  func append(_ value: Double) {
    if state.pointee.form == .json { return JSONText.append(value, to: &state.pointee.sink) }
    indent(state.pointee.level)
    XMLText.append(value, to: &state.pointee.sink)
    endLine()
  }

  func append(_ value: String) {
    if state.pointee.form == .json { return JSONText.append(value, to: &state.pointee.sink) }
    indent(state.pointee.level)
    XMLText.append(value, to: &state.pointee.sink)
    endLine()
  }

  func append(date seconds: Double) {
    if state.pointee.form == .json { return JSONText.append(date: seconds, to: &state.pointee.sink) }
    indent(state.pointee.level)
    XMLText.append(date: seconds, to: &state.pointee.sink)
    endLine()
  }

  func append(_ item: Item) {
    switch state.pointee.form {
    case .json: JSONText.append(item, to: &state.pointee.sink)
    case .xml, .binary: XMLWriter.append(item, state.pointee.level, &state.pointee.sink)
    }
  }
}
