/// The access list of a file, as Linux has it in an extended attribute: rights of single users and groups.
///
/// The format is that of `linux/posix_acl_xattr.h`; acl(5) has the meaning. Rights are those of a mode: 4 to read, 2 to
/// write, 1 to execute or enter.
struct AccessList: Equatable {
  static let attribute = "system.posix_acl_access"

  private enum Tag {
    static let user: UInt16 = 0x02
    static let owningGroup: UInt16 = 0x04
    static let group: UInt16 = 0x08
    static let mask: UInt16 = 0x10
    static let other: UInt16 = 0x20
  }

  private struct Entry: Equatable {
    let tag: UInt16
    var rights: UInt16
    let id: UInt32
  }

  private var entries: [Entry]

  /// - Returns: nil for another format.
  init?(_ bytes: [UInt8]) {
    func number(_ offset: Int, _ count: Int) -> UInt32 {
      bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard bytes.count >= 4, bytes.count % 8 == 4, number(0, 4) == 2 else { return nil }
    entries = stride(from: 4, to: bytes.count, by: 8).map {
      Entry(tag: UInt16(number($0, 2)), rights: UInt16(number($0 + 2, 2)), id: number($0 + 4, 4))
    }
  }

  var bytes: [UInt8] {
    func bytes(_ number: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return bytes(2, 4)
      + entries.flatMap { bytes(UInt32($0.tag), 2) + bytes(UInt32($0.rights), 2) + bytes($0.id, 4) }
  }

  /// What the group of the file may do. The group's part of a mode is the mask instead, which bounds the rights of all
  /// other users and groups of the list.
  var owningGroupRights: UInt32 { rights(Tag.owningGroup) & mask }

  /// What those may do whom the list does not name.
  var otherRights: UInt32 { rights(Tag.other) }

  private var mask: UInt32 { UInt32(entries.first { $0.tag == Tag.mask }?.rights ?? 7) }

  private func rights(_ tag: UInt16) -> UInt32 { UInt32(entries.first { $0.tag == tag }?.rights ?? 0) }

  /// A mode that gives nobody more than the list. Without the list, those whom it names have the rights of the group or
  /// of all others.
  func modeInstead(of mode: UInt32) -> UInt32 {
    let named = entries.filter { $0.tag == Tag.user || $0.tag == Tag.group }
    let least = named.reduce(7) { $0 & UInt32($1.rights) & mask }
    return mode & ~0o077 | (owningGroupRights & least) << 3 | otherRights & least
  }

  /// The file gets another group, which has no rights. The members of the old one are now among all others.
  mutating func replaceOwningGroup() {
    let rights = UInt16(owningGroupRights)
    for index in entries.indices {
      if entries[index].tag == Tag.owningGroup { entries[index].rights = 0 }
      if entries[index].tag == Tag.other { entries[index].rights &= rights }
    }
  }

  /// Lets those who may read enter: the list is for a folder.
  mutating func letReadersEnter() {
    let tags = [Tag.user, Tag.owningGroup, Tag.group, Tag.other]
    for index in entries.indices where tags.contains(entries[index].tag) && entries[index].rights & 4 != 0 {
      entries[index].rights |= 1
    }
  }
}
