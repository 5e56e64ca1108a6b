/// Tells whether a keyed container is that of a `Dictionary`, whose members have no order of their own.
///
/// A dictionary that is encoded by itself is known by its type. One that a property wrapper encodes by handing its own
/// encoder on is known only by the type of the keys it asks a container for, which the standard library keeps to itself;
/// so a dictionary is encoded once to see it.
enum DictionaryKeys {
  static func isKeyType(_ type: any CodingKey.Type) -> Bool { ObjectIdentifier(type) == keyType }

  private static let keyType: ObjectIdentifier? = {
    let probe = Probe()
    try? [String: Int]().encode(to: probe)
    return probe.keyType
  }()

  private final class Probe: Encoder {
    var keyType: ObjectIdentifier?
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let nothing = ItemEncoder(builder: ItemBuilder(at: .record, depth: 1))

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      keyType = ObjectIdentifier(type)
      return KeyedEncodingContainer(ItemKeyedEncoding(builder: nothing.builder))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { nothing.unkeyedContainer() }
    func singleValueContainer() -> any SingleValueEncodingContainer { nothing.singleValueContainer() }
  }
}
