import Foundation
import SnapshotStore

/// Unicode's normalisation form C for names of any length, in linear time.
///
/// Foundation's functions move all text after a character that changes its length, and sort marks by exchanging
/// neighbours. They therefore get short pieces only, cut where the following text cannot change the piece. A piece
/// without such a place is normalised here. Only a long run of marks and of some other letters makes one.
enum NameForm {
  /// Characters beyond U+FFFF stay decomposed; see `short`.
  static func composed(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result = ""
    var piece: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      if piece.count >= pieceLength, isBoundary(scalar) {
        result.unicodeScalars.append(contentsOf: composed(piece))
        piece.removeAll(keepingCapacity: true)
      }
      piece.append(scalar)
    }
    result.unicodeScalars.append(contentsOf: composed(piece))
    return result
  }

  /// The greatest number of scalars that Foundation gets, not counting those up to the next boundary.
  private static let pieceLength = 128

  private static func composed(_ piece: [Unicode.Scalar]) -> [Unicode.Scalar] {
    piece.count <= 2 * pieceLength ? short(piece) : long(piece)
  }

  /// Whether a scalar neither composes with the scalars before it nor changes places with them. Only marks, and vowels
  /// and finals of Hangul, do.
  private static func isBoundary(_ scalar: Unicode.Scalar) -> Bool {
    if (0x1160...0x11FF).contains(scalar.value) { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return false
    default: return scalar.properties.canonicalCombiningClass == .notReordered
    }
  }

  // MARK: Short pieces

  /// Works around three faults of Foundation on Linux (Swift 6.3.1):
  ///
  /// - It does not compose a Hangul syllable with a further letter.
  /// - It may need two passes to sort marks.
  /// - It composes a letter beyond U+FFFF as if it were the letter with its low 16 bits, so two names would become one.
  ///
  /// Decomposing twice and composing only the rest avoids all three.
  static func short(_ piece: [Unicode.Scalar]) -> [Unicode.Scalar] {
    let decomposed = text(piece).decomposedStringWithCanonicalMapping.decomposedStringWithCanonicalMapping
    var result: [Unicode.Scalar] = []
    var run: [Unicode.Scalar] = []
    let compose = { result += text(run).precomposedStringWithCanonicalMapping.unicodeScalars }
    for scalar in decomposed.unicodeScalars {
      if scalar.value <= 0xFFFF {
        run.append(scalar)
      } else {
        compose()
        run.removeAll(keepingCapacity: true)
        result.append(scalar)
      }
    }
    compose()
    return result
  }

  private static func text(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  // MARK: Long pieces

  /// The same result by Unicode's own algorithm (UAX #15). It asks Foundation about single scalars and pairs only.
  static func long(_ piece: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var scalars = piece.flatMap { scalar in
      scalar.value < 0xC0 ? [scalar] : Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
    }
    sortMarks(&scalars)
    var result: [Unicode.Scalar] = []
    /// The place of the character that marks may compose with, and the class of the last mark after it that did not
    /// compose.
    var starter: Int?
    var lastClass: UInt8 = 0
    for scalar in scalars {
      if scalar.value > 0xFFFF {
        (starter, lastClass) = (nil, 0)
        result.append(scalar)
        continue
      }
      let markClass = scalar.properties.canonicalCombiningClass.rawValue
      if let starter, result.count - 1 == starter || lastClass != 0 && lastClass < markClass,
        let both = composite(result[starter], scalar)
      {
        result[starter] = both
        continue
      }
      if markClass == 0 {
        (starter, lastClass) = (result.count, 0)
      } else {
        lastClass = markClass
      }
      result.append(scalar)
    }
    return result
  }

  /// Sorts the marks of each character by their classes. Marks of one class keep their order.
  private static func sortMarks(_ scalars: inout [Unicode.Scalar]) {
    var start = 0
    while start < scalars.count {
      var end = start
      while end < scalars.count, scalars[end].properties.canonicalCombiningClass != .notReordered { end += 1 }
      if end - start > 1 {
        let marks = scalars[start..<end].enumerated().map { ($1.properties.canonicalCombiningClass, $0, $1) }
        let sorted = marks.sorted { ($0.0.rawValue, $0.1) < ($1.0.rawValue, $1.1) }
        scalars.replaceSubrange(start..<end, with: sorted.map(\.2))
      }
      start = end + 1
    }
  }

  private static func composite(_ a: Unicode.Scalar, _ b: Unicode.Scalar) -> Unicode.Scalar? {
    // The pair is decomposed first, because a composite may consist of three.
    let both = text([a, b]).decomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping.unicodeScalars
    return both.count == 1 ? both.first : nil
  }
}
