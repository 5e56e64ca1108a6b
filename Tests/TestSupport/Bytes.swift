extension [UInt8] {
  /// The bytes with the first occurrence of a text replaced.
  func replacing(_ old: String, with new: String) -> [UInt8] {
    guard let range = firstRange(of: Array(old.utf8)) else { fatalError("there is no “\(old)”") }
    var result = self
    result.replaceSubrange(range, with: new.utf8)
    return result
  }
}
