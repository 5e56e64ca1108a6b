#if canImport(FoundationEssentials)
  @_spi(_Unicode) import Swift
#else
  import SnapshotFoundation
#endif

/// The canonical decomposition of a scalar (NFD).
///
/// `FoundationEssentials` has no public function for it. It uses this one of the standard library itself. The whole of
/// Foundation would make programs four times as large (decision 0060).
enum CanonicalDecomposition {
  static func scalars(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    #if canImport(FoundationEssentials)
      Array(String(scalar)._nfd)
    #else
      Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
    #endif
  }
}
