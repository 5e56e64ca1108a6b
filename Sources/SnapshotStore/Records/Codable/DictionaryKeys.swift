/// Recognises the keyed container of a `Dictionary`, whose members have no order.
///
/// A dictionary that is encoded directly is recognised by its type. A property wrapper may encode a dictionary with its
/// own encoder. Then only the type of the keys shows it, and that type is private to the standard library. So a
/// dictionary is encoded once to find the type.
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
