/// Binary property lists (`bplist00`).
enum BinaryFormat: Format {
  static let name = "a binary property list"
  static let fileExtensions = ["bplist"]
  static let isText = false

  /// The kinds of values that have no form of their own in a binary list. Other programs cannot read such dates.
  static var standIns: StandIn.Kinds { [.farDates, .decimals] }

  private static let magic = Array("bplist00".utf8)

  /// Accepts other versions too. The reader refuses them with a better message.
  static func mayBegin(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic.prefix(6)) }

  /// The first bytes hold no needed data, so salvage replaces damaged ones.
  static func salvageSource(of bytes: [UInt8]) -> SourceText {
    let repaired = bytes.count < magic.count ? bytes : magic + bytes[magic.count...]
    return SourceText(unchecked: repaired, isText: false)
  }

  static func makeReader(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> any DocumentReader {
    try BinaryReader(source, limits: limits)
  }

  static func root(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> Item {
    let layout = try BinaryLayout(source)
    var objects = BinaryObjects(source: source, layout: layout, limits: limits)
    return try objects.item(layout.top, depth: 1)
  }

  static func prefix(checksum: UInt32) -> [UInt8] {
    magic + [0x12] + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) }
  }
}
