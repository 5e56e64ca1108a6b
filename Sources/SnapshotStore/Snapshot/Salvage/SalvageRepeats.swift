/// The results for recent records, by their bytes. A damaged file may repeat one small value without end.
///
/// It is used only when so many records were found that no more losses are listed. It remembers only the last ones.
struct SalvageRepeats {
  /// The bytes of a record, and the table that was begun before it.
  struct Slice: Hashable {
    let bytes: ArraySlice<UInt8>
    let table: String?
    let isCertain: Bool
  }

  enum Fate {
    case lost
    /// The index of the equal record that waits.
    case waits(Int)
  }

  /// The longest record that is compared, in bytes.
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
