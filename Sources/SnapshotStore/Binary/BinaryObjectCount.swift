/// The number of objects in some records, and the first uses of objects that may be shared.
struct BinaryObjectCount {
  /// An object that a list contains only once.
  enum Shared {
    case key(StaticString)
    case truth(Bool)
  }

  /// The number of objects that are never shared.
  private(set) var own = 0
  /// The shared objects, each with the number of own objects before its first use.
  private(set) var firstUses: [(object: Shared, own: Int)] = []
  private var hasTruth = [false, false]
  private var keys: [(text: UnsafePointer<UInt8>, length: Int)] = []
  /// The expected index of the next key: one behind the last key.
  private var expected = 0

  mutating func addOwn(_ count: Int) { own += count }

  mutating func add(_ truth: Bool) {
    let index = truth ? 1 : 0
    if hasTruth[index] { return }
    hasTruth[index] = true
    firstUses.append((.truth(truth), own))
  }

  /// Counts a key. All records have their keys in the same order, but may leave some out.
  mutating func add(key: StaticString) {
    let count = keys.count
    for step in 0..<count {
      var index = expected + step
      if index >= count { index -= count }
      if keys[index].text == key.utf8Start, keys[index].length == key.utf8CodeUnitCount {
        expected = index + 1 < count ? index + 1 : 0
        return
      }
    }
    keys.append((key.utf8Start, key.utf8CodeUnitCount))
    expected = 0
    firstUses.append((.key(key), own))
  }

  /// Advances the numbers past the counted objects.
  func advance(_ next: inout UInt32, _ shared: inout BinarySharedObjects) {
    let start = next
    var new: UInt32 = 0
    for (object, own) in firstUses {
      let number = start + UInt32(own) + new
      switch object {
      case .key(let key):
        let key = ExactText(key.description)
        guard shared.keys[key] == nil else { continue }
        shared.keys[key] = number
      case .truth(let truth):
        guard shared.number(of: truth) == nil else { continue }
        shared.set(number, for: truth)
      }
      new += 1
    }
    next = start + UInt32(own) + new
  }
}
