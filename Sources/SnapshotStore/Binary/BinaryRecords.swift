/// Records of a binary list under construction, property by property.
///
/// The numbers of objects go on from one part of a list to the next. So that parts can be written on several threads, the
/// same records are counted before, which makes no bytes.
struct BinaryRecords {
  var objects: BinaryObjectList
  private var keys: [UInt32] = []
  var values: [UInt32] = []
  /// The numbers of the records.
  private(set) var numbers: [UInt32] = []
  var count = BinaryObjectCount()

  init(_ objects: BinaryObjectList) { self.objects = objects }

  /// For a writer of another form.
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
