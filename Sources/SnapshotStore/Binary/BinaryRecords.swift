/// Records of a binary list, written property by property.
///
/// Object numbers continue from one part of a list to the next. To let several threads write parts, the same records
/// are first counted, which makes no bytes.
struct BinaryRecords {
  var objects: BinaryObjectList
  private var keys: [UInt32] = []
  var values: [UInt32] = []
  /// The numbers of the records.
  private(set) var numbers: [UInt32] = []
  var count = BinaryObjectCount()

  init(_ objects: BinaryObjectList) { self.objects = objects }

  /// An unused value, for writers of other formats.
  init() { objects = BinaryObjectList(next: 0, shared: BinarySharedObjects()) }

  mutating func begin() {
    keys.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  mutating func end(_ sink: inout ByteSink) {
    numbers.append(objects.write(keys: keys, values: values, to: &sink))
  }

  mutating func write(_ key: StaticString, _ sink: inout ByteSink) {
    keys.append(objects.write(key: key, to: &sink))
  }
}
