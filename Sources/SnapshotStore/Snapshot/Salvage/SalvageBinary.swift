/// Salvages a binary property list.
///
/// If the table of offsets at the end is intact, every object can be found. The records are those in the tables of the
/// top dictionary. If that dictionary or one of its arrays is damaged, salvage looks at all dictionaries that no other
/// object refers to. Each goes to the table whose form it has. If the end of the list is lost, a new table of offsets
/// is made; see `SalvagedObjects`.
struct SalvageBinary {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let layout: BinaryLayout
  private var objects: BinaryObjects
  private let tables: SalvageTables
  /// The dictionaries that are not records, or that have already been read.
  private var known: SalvageMarks
  /// The objects of single values. Objects that they refer to belong to no table.
  private var ownedByValues: [Int] = []
  /// The remaining work. It is limited, because a small list may refer to one large object very often.
  private var work: Int
  /// Whether a table, or the list of tables, could not be read.
  private var isFrameDamaged: Bool

  static func read(_ source: SourceText, _ limits: ReadLimits, into tables: SalvageTables) {
    if let layout = try? BinaryLayout(source) {
      source.bytes.withUnsafeBufferPointer { bytes in
        var salvage = SalvageBinary(bytes, source, layout, limits, tables, isFrameDamaged: false)
        salvage.run()
      }
    } else if let rebuilt = SalvagedObjects.rebuilt(source.bytes),
      let layout = try? BinaryLayout(rebuilt)
    {
      tables.loseBytes(
        SnapshotError(
          .malformed, "the end of the binary property list is damaged or cut off",
          position: SnapshotError.Position(offset: layout.offsetTable)),
        min(layout.offsetTable, source.bytes.count)..<source.bytes.count)
      rebuilt.bytes.withUnsafeBufferPointer { bytes in
        var salvage = SalvageBinary(bytes, rebuilt, layout, limits, tables, isFrameDamaged: true)
        salvage.readLooseRecords()
      }
    }
  }

  private init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ source: SourceText, _ layout: BinaryLayout,
    _ limits: ReadLimits,
    _ tables: SalvageTables, isFrameDamaged: Bool
  ) {
    self.bytes = bytes
    self.layout = layout
    objects = BinaryObjects(source: source, layout: layout, limits: limits)
    self.tables = tables
    known = SalvageMarks(layout.objectCount)
    work = 16 * bytes.count + 100_000
    self.isFrameDamaged = isFrameDamaged
  }

  private mutating func run() {
    known.insert(layout.top)
    isFrameDamaged = container(layout.top, marker: 0xD0, perElement: 2) == nil
    for (key, value) in members(of: layout.top) {
      guard case .success(.string(let name)) = key else {
        isFrameDamaged = true
        if case .failure(let error) = key { tables.loseBytes(error, 0..<0) }
        continue
      }
      if name == "snapshot" {
        readHeader(value)
      } else if tables.isValue(name) {
        readValue(name, value)
      } else {
        readTable(name, value)
      }
    }
    if isFrameDamaged { readLooseRecords() }
  }

  private mutating func readHeader(_ object: Int) {
    known.insert(object)
    do throws(SnapshotError) {
      tables.read(header: try objects.item(object, depth: 2))
    } catch {
      objects.abandon()
      tables.loseBytes(error, 0..<0)
    }
  }

  private mutating func readValue(_ name: String, _ object: Int) {
    known.insert(object)
    ownedByValues.append(object)
    let start = (try? layout.offset(of: object)) ?? 0
    do throws(SnapshotError) {
      tables.add(value: try objects.item(object, depth: 2), of: name, .certain, start..<start)
    } catch {
      objects.abandon()
      tables.lose(
        SalvageMember(name: name, certainty: .certain, isArray: false), error, start..<start)
    }
  }

  private mutating func readTable(_ name: String, _ object: Int) {
    let start = (try? layout.offset(of: object)) ?? 0
    // A name that the schema does not know is a table only if it has an array.
    if !tables.isTable(name), let marker = marker(of: object), marker != 0xA0 {
      return readValue(name, object)
    }
    guard let (count, place) = container(object, marker: 0xA0, perElement: 1) else {
      isFrameDamaged = true
      return tables.loseBytes(
        tables.error(.invalidValue, "the list of the records is damaged", start), start..<start)
    }
    tables.begin(name, at: start)
    for index in 0..<count where spend(1) {
      let entry = place + index * layout.referenceWidth
      let reference = BinaryLayout.integer(
        layout.source.bytes, at: entry, width: layout.referenceWidth)
      guard reference < UInt64(layout.objectCount) else {
        tables.lose(
          tables.error(.malformed, "a reference to an object that does not exist", entry),
          readable: nil, entry..<entry)
        continue
      }
      known.insert(Int(reference))
      readRecord(Int(reference))
    }
    tables.doubt()
  }

  private mutating func readRecord(_ object: Int) {
    let start = (try? layout.offset(of: object)) ?? 0
    do throws(SnapshotError) {
      let end = container(object, marker: 0xD0, perElement: 2).map {
        $0.start + 2 * $0.count * layout.referenceWidth
      }
      tables.add(try objects.item(object, depth: 3), start..<start, bytes: end.map { start..<$0 })
    } catch {
      objects.abandon()
      tables.lose(error, readable: readableMembers(of: object), start..<start)
    }
  }

  // MARK: Damaged frames

  /// Reads the dictionaries that no object refers to. O(file).
  private mutating func readLooseRecords() {
    tables.doubt()
    var inner = SalvageMarks(layout.objectCount)
    markOwned(&inner)
    var end = 0
    while end < layout.objectCount, spend(1) {
      switch known.contains(end) ? nil : marker(of: end) {
      case 0xD0: for (_, value) in members(of: end) { inner.insert(value) }
      case 0xA0 where !isListOfDictionaries(end):
        for element in elements(of: end) { inner.insert(element) }
      default: break
      }
      end += 1
    }
    for object in 0..<end where !known.contains(object) && !inner.contains(object) {
      if marker(of: object) == 0xD0 { readRecord(object) }
    }
  }

  /// Marks all objects inside single values.
  private mutating func markOwned(_ inner: inout SalvageMarks) {
    while let object = ownedByValues.popLast(), spend(1) {
      let parts: [Int] =
        switch marker(of: object) {
        case 0xD0: members(of: object).map(\.value)
        case 0xA0: elements(of: object)
        default: []
        }
      for part in parts where part != layout.top && !inner.contains(part) {
        inner.insert(part)
        ownedByValues.append(part)
      }
    }
  }

  private func marker(of object: Int) -> UInt8? {
    (try? layout.offset(of: object)).map { bytes[$0] & 0xF0 }
  }

  /// Whether an array may be a table whose name is lost. An array in a record also looks so, but then the record is
  /// loose too.
  private mutating func isListOfDictionaries(_ array: Int) -> Bool {
    let elements = elements(of: array)
    return !elements.isEmpty
      && elements.allSatisfy { marker(of: $0) == 0xD0 }
  }

  // MARK: Objects

  private func container(_ object: Int, marker: UInt8, perElement: Int) -> (count: Int, start: Int)? {
    guard let offset = try? layout.offset(of: object), bytes[offset] & 0xF0 == marker else {
      return nil
    }
    return try? objects.extent(at: offset, elementWidth: perElement * layout.referenceWidth)
  }

  private mutating func spend(_ cost: Int) -> Bool {
    work -= cost
    return work >= 0
  }

  private mutating func elements(of array: Int) -> [Int] {
    guard let (count, start) = container(array, marker: 0xA0, perElement: 1), spend(count) else {
      return []
    }
    return (0..<count).compactMap { reference(start + $0 * layout.referenceWidth) }
  }

  /// The keys and the value objects of a dictionary, as far as they can be read.
  private mutating func members(of dictionary: Int) -> [(
    key: Result<Item.Content, SnapshotError>, value: Int
  )] {
    guard let (count, start) = container(dictionary, marker: 0xD0, perElement: 2), spend(count)
    else { return [] }
    let width = layout.referenceWidth
    var result: [(key: Result<Item.Content, SnapshotError>, value: Int)] = []
    for index in 0..<count {
      guard let key = reference(start + index * width),
        let value = reference(start + (count + index) * width)
      else { continue }
      result.append((self.key(key), value))
    }
    return result
  }

  private mutating func key(_ object: Int) -> Result<Item.Content, SnapshotError> {
    do throws(SnapshotError) {
      let offset = try layout.offset(of: object)
      guard bytes[offset] & 0xF0 == 0x50 || bytes[offset] & 0xF0 == 0x60 else {
        throw objects.failure("a key is not text", offset)
      }
      guard work >= 0 else {
        throw objects.failure("the list unfolds too far", offset, .limitExceeded)
      }
      let content = try objects.text(at: offset)
      work -= (content.length ?? 0) / 16
      return .success(content)
    } catch {
      return .failure(error)
    }
  }

  private func reference(_ place: Int) -> Int? {
    let reference = BinaryLayout.integer(
      layout.source.bytes, at: place, width: layout.referenceWidth)
    return reference < UInt64(layout.objectCount) ? Int(reference) : nil
  }

  /// The readable members of a record that cannot be read as a whole.
  private mutating func readableMembers(of object: Int) -> Item {
    var result: [Item.Member] = []
    for (key, value) in members(of: object).prefix(64) {
      guard case .success(.string(let name)) = key else { continue }
      if let item = try? objects.item(value, depth: 4) {
        result.append(Item.Member(key: name, value: item))
      }
      objects.abandon()
    }
    return Item(.dictionary(result))
  }
}

/// A set of objects of a list, with one bit for each object.
private struct SalvageMarks {
  private var words: [UInt64]

  init(_ count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  func contains(_ object: Int) -> Bool { words[object / 64] & (1 << UInt64(object % 64)) != 0 }
  mutating func insert(_ object: Int) { words[object / 64] |= 1 << UInt64(object % 64) }
}
