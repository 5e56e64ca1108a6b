/// How many objects some records are, and where in them the ones that may be shared come first.
struct BinaryObjectCount {
  /// An object that a list has once.
  enum Shared {
    case key(StaticString)
    case truth(Bool)
  }

  /// The objects that are never shared.
  private(set) var own = 0
  /// The others, each with the number of own objects before its first use.
  private(set) var firstUses: [(object: Shared, own: Int)] = []
  private var hasTruth = [false, false]
  private var keys: [(text: UnsafePointer<UInt8>, length: Int)] = []
  /// Where in the keys the next one is expected: behind the last one.
  private var expected = 0

  mutating func addOwn(_ count: Int) { own += count }

  mutating func add(_ truth: Bool) {
    let index = truth ? 1 : 0
    if hasTruth[index] { return }
    hasTruth[index] = true
    firstUses.append((.truth(truth), own))
  }

  /// Counts a key. Keys come in the same order in all records, but for those that are left out.
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

  /// Goes on to what comes after the objects that were counted.
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
