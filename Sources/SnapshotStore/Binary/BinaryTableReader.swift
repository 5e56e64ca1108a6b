/// The records of a table in a binary list: the objects of an array.
struct BinaryTableReader: TableReader {
  /// All bytes of the file. They are valid while the reader lends them.
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var objects: BinaryObjects
  private let records: [Int]
  private let table: String
  /// The place where the objects of the next record may begin, for direct reading.
  private var position: BinaryPosition
  /// The number of records read, including those before this part.
  private var index = 0
  private var start = 0
  private var limit: Int
  /// The cost that this part may have.
  private var share: Int

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ objects: BinaryObjects, records: [Int], _ position: BinaryPosition,
    table: String
  ) {
    self.bytes = bytes
    self.objects = objects
    self.records = records
    self.position = position
    self.table = table
    limit = records.count
    share = objects.budget
  }

  mutating func next() throws(SnapshotError) -> Item? {
    guard index < limit else { return nil }
    defer { index += 1 }
    do throws(SnapshotError) {
      let item = try objects.item(records[index], depth: 3)
      position.end = max(position.end, position.end(ofContainer: records[index], in: bytes) ?? 0)
      return item
    } catch {
      throw error.inRecord(index, of: table)
    }
  }

  func cursor() -> BinaryCursor? {
    guard objects.limits.allowDirectReading, index < limit else { return nil }
    var position = position
    position.budget = objects.budget
    return BinaryCursor(
      place: ByteCursor(bytes, offset: index, limit: limit, isAtRecord: true, objects.limits), position: position)
  }

  mutating func move(to cursor: BinaryCursor, count: Int) {
    position = cursor.position
    objects = objects.with(budget: position.budget)
    index = cursor.place.offset
  }

  // MARK: Parts

  var firstPart: Self? { limit - index < 2 * partSize ? nil : part(index..<index + partSize) }

  func parts() -> [Self] {
    let size = partSize
    return stride(from: index, to: limit, by: size).map { part($0..<min($0 + size, limit)) }
  }

  /// The number of records in a part.
  private var partSize: Int { max(1, objects.limits.partSize / max(1, bytes.count / max(1, records.count))) }

  /// A part has its share of the budget, so that all parts together spend no more than one reader would. If its share
  /// is too small, it fails, and a single reader reads its records.
  private func part(_ range: Range<Int>) -> Self {
    var part = self
    (part.start, part.index, part.limit) = (range.lowerBound, range.lowerBound, range.upperBound)
    part.share = objects.budget / (limit - index) * range.count
    part.objects = objects.with(budget: part.share)
    if range.lowerBound > index {
      part.position.end = position.end(ofContainer: records[range.lowerBound - 1], in: bytes) ?? position.end
    }
    return part
  }

  func ends(at next: Self) -> Bool { index == next.start }

  mutating func move(to other: Self) {
    index = other.index
    position.end = max(position.end, other.position.end)
    objects = objects.with(budget: objects.budget - (other.share - other.objects.budget))
  }
}
