/// A number of 128 bits, in two words. Ranks are ordered as the keys that they stand for.
@usableFromInline
package struct SortRank: Sendable {
  @usableFromInline let high: UInt64
  @usableFromInline let low: UInt64

  @inlinable
  package init(high: UInt64 = 0, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The rank of a number that is equal to itself (no NaN). The bits of positive numbers are in order; negative ones
  /// are mapped. Adding 0 makes both zeros one.
  @inlinable
  package init(_ number: Double) { self.init(low: Self.bits(number)) }

  @inlinable
  package init(_ number: Int64) { self.init(low: UInt64(bitPattern: number) ^ 1 << 63) }

  @inlinable
  package init(_ number: UInt128) {
    self.init(high: UInt64(truncatingIfNeeded: number >> 64), low: UInt64(truncatingIfNeeded: number))
  }

  @inlinable
  static func bits(_ number: Double) -> UInt64 {
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }
}

/// A sort by ranks, one byte at a time from the lowest. Stable, O(n) for each byte in which ranks differ.
///
/// A sort by comparison takes about log n steps for each element, and the processor mispredicts most of them.
@usableFromInline
enum RadixSort {
  /// Sorts elements. Elements of the same rank keep their order.
  @inlinable
  static func sort<Element>(_ elements: inout [Element], by rank: (Element) -> SortRank) {
    let count = elements.count
    guard count > 1 else { return }
    let histograms = Self.histograms(elements, rank)
    var other = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      // Initializes the memory with copies of any element, so that elements can be moved into it.
      for index in 0..<count { (buffer.baseAddress! + index).initialize(to: elements[0]) }
      initialized = count
    }
    for byte in 0..<16 {
      var starts = [Int](repeating: 0, count: 256)
      var sum = 0
      var isConstant = false
      for digit in 0..<256 {
        starts[digit] = sum
        let number = histograms[byte * 256 + digit]
        if number == count { isConstant = true }
        sum += number
      }
      if isConstant { continue }
      let shift = UInt64(byte % 8 * 8)
      elements.withUnsafeBufferPointer { from in
        other.withUnsafeMutableBufferPointer { to in
          starts.withUnsafeMutableBufferPointer { starts in
            for index in 0..<count {
              let rank = rank(from[index])
              let digit = Int((byte < 8 ? rank.low : rank.high) >> shift & 0xFF)
              to[starts[digit]] = from[index]
              starts[digit] += 1
            }
          }
        }
      }
      swap(&elements, &other)
    }
  }

  /// The counts of each digit, for each byte of the ranks.
  @inlinable
  static func histograms<Element>(_ elements: [Element], _ rank: (Element) -> SortRank) -> [Int] {
    var counts = [Int](repeating: 0, count: 16 * 256)
    counts.withUnsafeMutableBufferPointer { counts in
      for element in elements {
        let rank = rank(element)
        for byte in 0..<8 {
          counts[byte * 256 + Int(rank.low >> UInt64(byte * 8) & 0xFF)] += 1
          counts[(byte + 8) * 256 + Int(rank.high >> UInt64(byte * 8) & 0xFF)] += 1
        }
      }
    }
    return counts
  }
}
