import Foundation
import SnapshotStore

/// A text with the places of a search, as pieces: those with an odd index are places of the search.
///
/// The page makes a text node of each piece. No piece is ever read as HTML.
struct MarkedText: Encodable, Equatable {
  private(set) var pieces: [String]

  init(_ text: String, _ query: SearchQuery) {
    pieces = []
    var end = text.startIndex
    for range in query.isEmpty ? [] : query.ranges(in: text) {
      pieces += [String(text[end..<range.lowerBound]), String(text[range])]
      end = range.upperBound
    }
    pieces.append(String(text[end...]))
  }

  func encode(to encoder: any Encoder) throws { try pieces.encode(to: encoder) }
}
