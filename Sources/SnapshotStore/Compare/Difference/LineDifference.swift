/// The lines in which two texts differ, each with one common line before and after it.
struct LineDifference {
  private enum Line {
    case common(String)
    case removed(String)
    case added(String)

    var isCommon: Bool { if case .common = self { true } else { false } }
  }

  private var script: [Line] = []

  /// Between the first and the last difference there may be thousands of lines. These are not searched for common
  /// lines, because that would take the square of their number in time.
  init(from old: String, to new: String) {
    let (a, b) = (Self.split(old), Self.split(new))
    let prefix = zip(a, b).prefix { $0 == $1 }.count
    let most = min(a.count, b.count) - prefix
    let suffix = zip(a.reversed(), b.reversed()).prefix(most).prefix { $0 == $1 }.count
    script = a[..<prefix].map { .common($0.text) }
    compare(Array(a[prefix..<a.count - suffix]), Array(b[prefix..<b.count - suffix]))
    script += a[(a.count - suffix)...].map { .common($0.text) }
  }

  private static func split(_ text: String) -> [ExactText] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      ExactText(String(decoding: $0, as: UTF8.self))
    }
  }

  private mutating func compare(_ old: [ExactText], _ new: [ExactText]) {
    guard old.count <= 1_000, new.count <= 1_000 else {
      script += old.map { .removed($0.text) } + new.map { .added($0.text) }
      return
    }
    let difference = new.difference(from: old)
    let removed = Set(difference.removals.map(Self.offset))
    let added = Set(difference.insertions.map(Self.offset))
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if i < old.count, removed.contains(i) {
        script.append(.removed(old[i].text))
        i += 1
      } else if j < new.count, added.contains(j) {
        script.append(.added(new[j].text))
        j += 1
      } else {
        script.append(.common(old[i].text))
        (i, j) = (i + 1, j + 1)
      }
    }
  }

  private static func offset(of change: CollectionDifference<ExactText>.Change) -> Int {
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }

  /// `- ` before a removed line, `+ ` before an added line, two spaces before a common line, `…` for omitted lines.
  var lines: [String] {
    let most = 40
    var lines: [String] = []
    var index = 0
    while index < script.count, lines.count < most {
      guard script[index].isCommon else {
        let end = script[index...].firstIndex(where: \.isCommon) ?? script.count
        lines += Self.lines(of: script[index..<end])
        index = end
        continue
      }
      let isBeside = index > 0 && !script[index - 1].isCommon || index + 1 < script.count && !script[index + 1].isCommon
      if isBeside, case .common(let text) = script[index] {
        lines.append("  " + text.escapedForMessage(limit: ValueText.limit))
      } else if lines.last != "…" {
        lines.append("…")
      }
      index += 1
    }
    let cut = lines.dropFirst(most).count { $0.hasPrefix("- ") || $0.hasPrefix("+ ") }
    let more = cut + script[index...].count { !$0.isCommon }
    return lines.prefix(most) + (more == 0 ? [] : ["… and \(more) more lines"])
  }

  /// Removed lines and the lines that replaced them. Each is cut to the part that differs from its counterpart.
  private static func lines(of changed: ArraySlice<Line>) -> [String] {
    var (removed, added): ([String], [String]) = ([], [])
    for line in changed {
      switch line {
      case .removed(let text): removed.append(text)
      case .added(let text): added.append(text)
      case .common: break
      }
    }
    for index in 0..<max(removed.count, added.count) {
      switch (removed.indices.contains(index), added.indices.contains(index)) {
      case (true, true): (removed[index], added[index]) = ValueText.cut(removed[index], added[index])
      case (true, false): removed[index] = removed[index].escapedForMessage(limit: ValueText.limit)
      default: added[index] = added[index].escapedForMessage(limit: ValueText.limit)
      }
    }
    return removed.map { "- " + $0 } + added.map { "+ " + $0 }
  }
}
