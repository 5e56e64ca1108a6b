/// `Float` to `Double` and back without a change of bits. A plain conversion would make a signalling NaN quiet.
enum FloatBits {
  static func double(_ float: Float) -> Double {
    guard float.isNaN else { return Double(float) }
    let bits = UInt64(float.bitPattern)
    return Double(bitPattern: (bits & 0x8000_0000) << 32 | 0x7FF << 52 | (bits & 0x7F_FFFF) << 29)
  }

  static func float(_ double: Double) -> Float {
    guard double.isNaN else { return Float(double) }
    let bits = double.bitPattern
    let payload = UInt32(truncatingIfNeeded: bits >> 29) & 0x7F_FFFF
    // A NaN with bits that a `Float` does not have must stay a NaN.
    guard payload != 0 else { return .nan }
    return Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32) & 0x8000_0000 | 0xFF << 23 | payload)
  }

  /// Whether a number lies exactly halfway between two neighbouring floats.
  static func isBetweenFloats(_ double: Double) -> Bool {
    let float = Float(double)
    guard double.isFinite, float.isFinite, Double(float) != double else { return false }
    let other = Double(float) < double ? float.nextUp : float.nextDown
    // Both differences are exact.
    return other.isFinite && double - Double(float) == Double(other) - double
  }
}
