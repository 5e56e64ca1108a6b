/// What became of records, by their bytes: a damaged file may repeat one small value without end.
///
/// It is asked only once there are so many records that no more of them are listed. It remembers the last ones only.
struct SalvageRepeats {
  /// The bytes of a record, and the table before it.
  struct Slice: Hashable {
    let bytes: ArraySlice<UInt8>
    let table: String?
    let isCertain: Bool
  }

  enum Fate {
    case lost
    /// The place of the one that waits.
    case waits(Int)
  }

  /// Records of more bytes are not compared.
  static let limit = 256
  private static let capacity = 1_000
  private var fates: [Slice: Fate] = [:]

  subscript(slice: Slice) -> Fate? {
    get { fates[slice] }
    set {
      if fates.count >= Self.capacity { fates.removeAll(keepingCapacity: true) }
      fates[slice] = newValue
    }
  }
}
