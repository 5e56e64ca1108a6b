extension Item {
  /// Whether two values are the same to the last bit, wherever they were read; a missing one and null are not.
  static func areIdentical(_ a: Item?, _ b: Item?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    switch (a.content, b.content) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.integer(let a), .integer(let b)): return a == b
    case (.unsigned(let a), .unsigned(let b)): return a == b
    case (.real(let a), .real(let b)), (.rounded(let a), .rounded(let b)), (.date(let a), .date(let b)):
      return a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)): return a.utf8.elementsEqual(b.utf8)
    case (.data(let a), .data(let b)): return a == b
    case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy { areIdentical($0, $1) }
    case (.dictionary(let a), .dictionary(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.key == $1.key && areIdentical($0.value, $1.value) }
    default: return false
    }
  }
}
