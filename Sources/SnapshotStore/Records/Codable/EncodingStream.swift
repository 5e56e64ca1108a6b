/// One record under construction as text, while its values encode themselves.
///
/// It gives the bytes that `ItemEncoder` and the writer of the format give together. It can do so if every value is
/// complete before the next one begins, and if no key comes twice. Otherwise it falls back and ignores the rest. The
/// caller then encodes the record strictly.
///
/// The memory is reused from record to record. It is not in properties, because each access to one is checked.
final class EncodingStream {
  /// A value that is not complete.
  struct Frame {
    enum Kind { case empty, keyed, unkeyed, single }

    let id: Int
    var kind = Kind.empty
    /// The number of members or elements so far.
    var count = 0
    /// The indentation of the value, in formats that have one.
    let level: Int
    /// The number of bytes before the value.
    let start: Int
    /// The number of keys of the values around this one.
    let firstKey: Int
    /// A bit for each key. Two keys may have the same one.
    var keyBits: UInt64 = 0
  }

  struct State: ~Copyable {
    let form: RecordForm
    /// While a record encodes itself, the bytes of all records.
    var sink = ByteSink(capacity: 0)
    /// The number of values that are not complete.
    var depth = 0
    /// The number of values so far, in all records. A value that was kept from an earlier record is not found again.
    var values = 0
    /// The number of keys in all values that are not complete.
    var keys = 0
    var fallsBack = false
    /// The indentation of the next value.
    var level = 0
    /// The keys of the values that are not complete, for their paths.
    var path: [(any CodingKey)?] = []
  }

  /// A record with more levels or keys is encoded strictly. So every search is short.
  static let most = (levels: 24, keys: 128)
  /// The indentation of records.
  static let recordLevel = 2

  let state: UnsafeMutablePointer<State>
  private let frames: UnsafeMutablePointer<Frame>
  /// The places of keys in the bytes.
  private let keys: UnsafeMutablePointer<Range<Int>>

  init(_ form: RecordForm) {
    state = .allocate(capacity: 1)
    state.initialize(to: State(form: form))
    frames = .allocate(capacity: Self.most.levels)
    keys = .allocate(capacity: Self.most.keys)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    frames.deallocate()
    keys.deallocate()
  }

  func fallBack() { state.pointee.fallsBack = true }

  /// Appends the members of a record. Returns false if the record is left to the strict way; the caller then removes
  /// what was appended.
  func encode(_ record: some Encodable, to sink: inout ByteSink) -> Bool {
    swap(&state.pointee.sink, &sink)
    defer {
      swap(&state.pointee.sink, &sink)
      // The places of keys are in the other sink, so a container that was kept writes nothing from now on.
      fallBack()
    }
    state.pointee.depth = 0
    state.pointee.keys = 0
    state.pointee.fallsBack = false
    state.pointee.path.removeAll(keepingCapacity: true)
    state.pointee.level = Self.recordLevel
    let id = push()
    do {
      try record.encode(to: StreamEncoder(self, id))
    } catch {
      return false
    }
    guard let frame = activate(id) else { return false }
    return frame.pointee.kind == .keyed
  }

  private var bytes: UnsafeBufferPointer<UInt8> { state.pointee.sink.bytes }
}

// MARK: - Values that are not complete

extension EncodingStream {
  /// Begins a value at the current place. Returns its number.
  ///
  /// - Parameter key: the key of the value; nil for an element of an array.
  func push(_ key: (any CodingKey)? = nil) -> Int {
    state.pointee.values += 1
    let (id, depth) = (state.pointee.values, state.pointee.depth)
    guard depth < Self.most.levels, !state.pointee.fallsBack else {
      fallBack()
      return id
    }
    (frames + depth).initialize(
      to: Frame(id: id, level: state.pointee.level, start: state.pointee.sink.count, firstKey: state.pointee.keys))
    state.pointee.path.append(key)
    state.pointee.depth = depth + 1
    return id
  }

  /// The value of a number, after all values within it are completed. Nil and a fallback if it is complete already.
  func activate(_ id: Int) -> UnsafeMutablePointer<Frame>? {
    if state.pointee.fallsBack { return nil }
    var depth = state.pointee.depth
    if frames[depth - 1].id != id {
      guard let index = (0..<depth).last(where: { frames[$0].id == id }) else {
        fallBack()
        return nil
      }
      while depth > index + 1 {
        complete()
        depth -= 1
      }
    }
    return frames + depth - 1
  }

  /// Completes a value and all values within it.
  func complete(_ id: Int) { if activate(id) != nil { complete() } }

  private func complete() {
    let depth = state.pointee.depth - 1
    end(frames[depth])
    state.pointee.depth = depth
    state.pointee.keys = frames[depth].firstKey
    state.pointee.path.removeLast()
  }

  /// Makes a value a container. All containers of one value share its members.
  func open(_ id: Int, _ kind: Frame.Kind) {
    guard let frame = activate(id) else { return }
    switch frame.pointee.kind {
    case kind: break
    case .empty:
      frame.pointee.kind = kind
      begin(frame.pointee)
    default: fallBack()
    }
  }

  // MARK: Places of values

  /// Moves to a new member of a value. Returns false if it falls back.
  func beginMember(_ key: some CodingKey, of id: Int) -> Bool {
    let text = key.stringValue
    guard let frame = activate(id), frame.pointee.kind == .keyed, state.pointee.keys < Self.most.keys else {
      fallBack()
      return false
    }
    state.pointee.level = frame.pointee.level + 1
    let place = append(key: text, isFirst: frame.pointee.count == 0)
    if hasKey(place, in: &frame.pointee) {
      fallBack()
      return false
    }
    keys[state.pointee.keys] = place
    state.pointee.keys += 1
    frame.pointee.count += 1
    return true
  }

  /// Whether a value has a key already. The strict way keeps the place of the first and the value of the last one.
  private func hasKey(_ place: Range<Int>, in frame: inout Frame) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    let bit = ByteText.bit(base + place.lowerBound, place.count)
    if frame.keyBits & bit == 0 {
      frame.keyBits |= bit
      return false
    }
    for index in frame.firstKey..<state.pointee.keys
    where keys[index].count == place.count
      && ByteText.equal(base + keys[index].lowerBound, base + place.lowerBound, place.count)
    {
      return true
    }
    return false
  }

  /// Moves to a new element of a value. Returns false if it falls back.
  func beginElement(of id: Int) -> Bool {
    guard let frame = activate(id), frame.pointee.kind == .unkeyed else {
      fallBack()
      return false
    }
    state.pointee.level = frame.pointee.level + 1
    if frame.pointee.count > 0 { appendSeparator() }
    frame.pointee.count += 1
    return true
  }

  /// Moves to the one value that represents another. Returns false if it falls back.
  func beginSingle(of id: Int) -> Bool {
    guard let frame = activate(id), frame.pointee.kind == .empty else {
      fallBack()
      return false
    }
    state.pointee.level = frame.pointee.level
    frame.pointee.kind = .single
    return true
  }

  /// Moves to a value that is appended as a whole. Returns false if another one was begun since.
  func fill(_ id: Int) -> Bool { state.pointee.values == id && beginSingle(of: id) }

  func count(of id: Int) -> Int { activate(id)?.pointee.count ?? 0 }
}

// MARK: - Paths

extension EncodingStream: CodingParent {
  /// The keys from the record down to a value, and a fallback: a path leads to an error or to unusual code.
  func path(to id: Int) -> [any CodingKey] {
    let depth = (0..<state.pointee.depth).last { frames[$0].id == id } ?? 0
    fallBack()
    return path(depth)
  }

  private func path(_ depth: Int) -> [any CodingKey] {
    (0..<depth).compactMap { index -> (any CodingKey)? in
      frames[index].kind == .unkeyed ? PathKey(index: frames[index].count - 1) : state.pointee.path[index + 1]
    }
  }

  /// The place of the value around the last one.
  var place: CodingPlace {
    fallBack()
    return path(max(0, state.pointee.depth - 2)).reduce(.record) { CodingPlace(under: PlacedParent(place: $0), $1) }
  }

  /// The key of the last element of an array, for the path of a value in it.
  var lastElement: any CodingKey {
    let depth = state.pointee.depth
    // A value that represents another one has no key of its own.
    guard depth > 0, frames[depth - 1].kind == .unkeyed else {
      fallBack()
      return PathKey.super
    }
    return PathKey(index: frames[depth - 1].count - 1)
  }
}

private final class PlacedParent: CodingParent {
  let place: CodingPlace
  init(place: CodingPlace) { self.place = place }
}
