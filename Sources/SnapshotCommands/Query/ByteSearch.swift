import Foundation

/// Comparison of texts by their bytes.
extension String {
  /// Whether the bytes of another text occur in this one. O(length of both).
  func holdsBytes(of part: String) -> Bool {
    var (text, part) = (self, part)
    return text.withUTF8 { text in
      part.withUTF8 { part in
        if part.count > text.count { return false }
        guard let start = text.baseAddress, let first = part.first else { return true }
        // A short part is compared at each place of its first byte. That is at most a small factor.
        guard part.count <= 16 else { return ByteSearch(part).occurs(in: text) }
        var place = start
        let end = start + (text.count - part.count)
        while place <= end, let found = memchr(place, Int32(first), end - place + 1) {
          if memcmp(found, part.baseAddress ?? start, part.count) == 0 { return true }
          place = start + (UnsafeRawPointer(found) - UnsafeRawPointer(start)) + 1
        }
        return false
      }
    }
  }
}

/// A search by Knuth, Morris and Pratt, which is linear also for texts such as “aaa…ab”.
private struct ByteSearch {
  private let part: UnsafeBufferPointer<UInt8>
  /// For each length of a match, how much of it is a match at a later place.
  private let borders: [Int]

  init(_ part: UnsafeBufferPointer<UInt8>) {
    self.part = part
    var borders = [0, 0]
    var length = 0
    for index in part.indices.dropFirst() {
      while length > 0, part[index] != part[length] { length = borders[length] }
      if part[index] == part[length] { length += 1 }
      borders.append(length)
    }
    self.borders = borders
  }

  func occurs(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var length = 0
    for byte in text {
      while length > 0, byte != part[length] { length = borders[length] }
      if byte == part[length] { length += 1 }
      if length == part.count { return true }
    }
    return false
  }
}
