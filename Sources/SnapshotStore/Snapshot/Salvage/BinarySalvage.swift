/// Salvages a binary property list whose table of offsets can be read. The records are those in the arrays of the top
/// dictionary.
///
/// Without its table of offsets, no object of a list is known for certain. Such a list is refused; an older version of
/// it has more.
struct BinarySalvage {
  private let layout: BinaryLayout
  private var objects: BinaryObjects
  private var found: FoundContent
  /// The remaining work. It is limited, because a small list may refer to one large object very often.
  private var work: Int

  static func read(_ source: SourceText, _ limits: ReadLimits, into found: inout FoundContent) {
    guard let layout = try? BinaryLayout(source) else { return }
    var salvage = BinarySalvage(source, layout, limits, found)
    salvage.run()
    found = salvage.found
  }

  private init(_ source: SourceText, _ layout: BinaryLayout, _ limits: ReadLimits, _ found: FoundContent) {
    self.layout = layout
    objects = BinaryObjects(source: source, layout: layout, limits: limits)
    self.found = found
    work = 16 * source.bytes.count + 100_000
  }

  private mutating func run() {
    // If a key is damaged, no name can be believed: another one may be a value.
    guard let members = try? objects.members(of: layout.top) else { return }
    guard let header = members.first(where: { $0.key == "snapshot" })?.value,
      (try? objects.item(header, depth: 2))?.allMembers != nil
    else { return }
    for (name, object, _) in members {
      do throws(SnapshotError) {
        try read(name, object)
      } catch {
        objects.abandon()
        found.loseBytes(error, 0..<0)
      }
    }
  }

  private mutating func read(_ name: String, _ object: Int) throws(SnapshotError) {
    if name == "snapshot" { return found.add(header: try objects.item(object, depth: 2), 0..<0) }
    let start = try layout.offset(of: object)
    if !found.isValue(name), let (count, place) = extent(of: object, marker: 0xA0, perElement: 1) {
      found.begin(name, at: start)
      return readRecords(count, place)
    }
    do throws(SnapshotError) {
      found.add(value: try objects.item(object, depth: 2), of: name, start..<start)
    } catch {
      objects.abandon()
      found.lose(value: name, error, start..<start)
    }
  }

  private mutating func readRecords(_ count: Int, _ place: Int) {
    for index in 0..<count {
      guard spend(1) else { return giveUp() }
      let entry = place + index * layout.referenceWidth
      do throws(SnapshotError) {
        guard let object = reference(entry) else { throw lostReference(entry) }
        let start = try layout.offset(of: object)
        found.add(try objects.item(object, depth: 3), start..<start)
      } catch {
        objects.abandon()
        let readable = found.log.isFull ? nil : reference(entry).map { readableMembers(of: $0) }
        found.lose(error, readable: readable, entry..<entry)
      }
    }
  }

  // MARK: Objects

  private func lostReference(_ place: Int) -> SnapshotError {
    objects.failure("a reference to an object that does not exist", place)
  }

  private func giveUp() {
    found.loseBytes(
      SnapshotError(.limitExceeded, "the list unfolds into more than its size allows"), 0..<0)
  }

  private func extent(of object: Int, marker: UInt8, perElement: Int) -> (count: Int, start: Int)? {
    guard let offset = try? layout.offset(of: object), objects.bytes[offset] & 0xF0 == marker else { return nil }
    return try? objects.extent(at: offset, elementWidth: perElement * layout.referenceWidth)
  }

  private func reference(_ place: Int) -> Int? {
    let reference = BinaryLayout.integer(objects.bytes, at: place, width: layout.referenceWidth)
    return reference < UInt64(layout.objectCount) ? Int(reference) : nil
  }

  private mutating func spend(_ cost: Int) -> Bool {
    work -= cost
    return work >= 0
  }

  /// The readable members of a record that cannot be read as a whole.
  private mutating func readableMembers(of object: Int) -> Item {
    var result: [Item.Member] = []
    guard let extent = extent(of: object, marker: 0xD0, perElement: 2), spend(extent.count) else {
      return Item(.dictionary([]))
    }
    for member in ((try? objects.members(of: object)) ?? []).prefix(64) where spend(1) {
      if let item = try? objects.item(member.value, depth: 4) {
        result.append(Item.Member(key: member.key, value: item))
      }
      objects.abandon()
    }
    return Item(.dictionary(result))
  }
}
