/// Differences as text, for people.
extension ModelDifference: CustomStringConvertible {
  /// The difference in lines for people.
  ///
  /// Each record has a line with its table and id, and each single value a line with its name. `+` means new, `-`
  /// removed, `~` changed. The properties follow as `name: old → new`. A text of several lines is shown by the lines
  /// that differ.
  ///
  /// ```
  /// ~ notes 1001
  ///     text:
  ///         Museums
  ///       - The Orsay is closed on Mondays.
  ///       + The Orsay is open on Mondays.
  ///     archived: false → true
  /// - tags paris
  ///     name: "Paris"
  /// ```
  ///
  /// Values are JSON. Long values are cut to the part that differs. Characters that a terminal could act on are shown
  /// as `\u{…}`.
  public var lines: [String] { records.flatMap(\.lines) }

  /// The number of records of each kind, such as `2 new, 1 changed`; `the same` if nothing differs.
  public var summary: String {
    let kinds: [(RecordDifference.Change, String)] = [(.inserted, "new"), (.removed, "gone"), (.updated, "changed")]
    let parts = kinds.compactMap { change, word in
      let count = records.count { $0.change == change }
      return count == 0 ? nil : "\(count) \(word)"
    }
    return parts.isEmpty ? "the same" : parts.joined(separator: ", ")
  }

  /// The lines of the first hundred records, and the summary.
  public var description: String {
    let most = 100
    let more = records.count > most ? ["… and \(records.count - most) more records"] : []
    return (records.prefix(most).flatMap(\.lines) + more + [summary]).joined(separator: "\n")
  }
}

extension RecordDifference {
  /// The lines of this record; see ``ModelDifference/lines``.
  public var lines: [String] {
    let mark =
      switch change {
      case .inserted: "+"
      case .removed: "-"
      case .updated: "~"
      }
    let lines = properties.flatMap { $0.lines(isOnBothSides: change == .updated) }
    let place = [table, id].map { $0.escapedForMessage(limit: 80) }.filter { !$0.isEmpty }.joined(separator: " ")
    return ["\(mark) \(place)"] + lines.map { "    " + $0 }
  }
}

extension RecordDifference.Property {
  /// - Parameter isOnBothSides: whether both sides have the record. If so, a missing value is shown as a difference.
  fileprivate func lines(isOnBothSides: Bool) -> [String] {
    let name = name.isEmpty ? "value" : name.escapedForMessage(limit: ValueText.limit)
    guard let old, let new else {
      let (before, after) = (old.map(ValueText.text), new.map(ValueText.text))
      if isOnBothSides { return ["\(name): \(before ?? "nothing") → \(after ?? "nothing")"] }
      return ["\(name): \(before ?? after ?? "")"]
    }
    if case (.string(let before), .string(let after)) = (old.content, new.content) {
      if before == after { return ["\(name): \(ValueText.text(old)) → the same in another Unicode form"] }
      if before.utf8.contains(UInt8(ascii: "\n")) || after.utf8.contains(UInt8(ascii: "\n")) {
        return ["\(name):"] + LineDifference(from: before, to: after).lines.map { "  " + $0 }
      }
    }
    let (before, after) = ValueText.texts(old, new)
    return ["\(name): \(before) → \(after)"]
  }
}
