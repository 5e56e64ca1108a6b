import SnapshotSystem

/// The access and the attributes of a file that takes the place of another, or is beside it.
extension POSIXFileSystem {
  package func setAccess(
    _ file: OpenFile, like status: FileStatus, of name: String, in directory: OpenFile, attributes: Bool
  ) throws(SystemError) {
    let current = try self.status(file)
    var hasGroup = true
    if geteuid() == 0, current.owner != status.owner || current.group != status.group {
      _ = try Self.call("fchown") { fchown(file.number, status.owner, status.group) }
    } else if current.group != status.group {
      hasGroup = fchown(file.number, uid_t.max, status.group) == 0
    }
    let source = try source(name, in: directory, status)
    defer { if let source { close(source) } }
    #if os(Linux)
      let groupRights = try setAccessList(
        of: file, from: source, isFolder: current.kind == .directory, hasGroup: hasGroup)
      let mode = status.mode & (groupRights.map { ~0o070 | $0 << 3 } ?? .max)
    #else
      if let source, current.kind == .regular {
        try Self.require(ExtendedAttributes.copyAccessList(from: source.number, to: file.number), "fcopyfile")
      }
      // The rights of the old group must not become rights of another group.
      let mode = hasGroup ? status.mode : status.mode & ~0o070
    #endif
    _ = try Self.call("fchmod") { fchmod(file.number, mode_t(mode)) }
    if attributes, let source { try copyAttributes(from: source, to: file) }
  }

  /// The file that another one is to be like. Nil if it cannot be read, or is not the one with the status any more.
  private func source(
    _ name: String, in directory: OpenFile, _ expected: FileStatus
  ) throws(SystemError) -> OpenFile? {
    let source: OpenFile
    do throws(SystemError) {
      source = try open(name, in: directory)
    } catch {
      if [SystemError.accessDenied, SystemError.noSuchFile].contains(error.number) { return nil }
      throw error
    }
    let status = try? status(source)
    if status?.inode == expected.inode, status?.device == expected.device { return source }
    close(source)
    return nil
  }

  private func copyAttributes(from source: OpenFile, to file: OpenFile) throws(SystemError) {
    #if os(Linux)
      var (names, value): ([String], [UInt8]) = ([], [])
      try Self.require(ExtendedAttributes.readNames(of: source.number, into: &names), "flistxattr")
      // The others belong to the system, which sets them itself.
      for name in names where name.hasPrefix("user.") {
        let number = ExtendedAttributes.read(name, of: source.number, into: &value)
        guard try Self.require(number, "fgetxattr") else { continue }
        try Self.require(ExtendedAttributes.set(name, of: file.number, to: value), "fsetxattr")
      }
    #else
      try Self.require(ExtendedAttributes.copyAttributes(from: source.number, to: file.number), "fcopyfile")
    #endif
  }

  /// Whether a call on an attribute had success. It has none if there is no such attribute, or if the file system has
  /// no attributes, or does not permit them.
  ///
  /// - Parameter number: the error number of the call, or 0.
  @discardableResult
  private static func require(_ number: Int32, _ call: String) throws(SystemError) -> Bool {
    if number == 0 { return true }
    if [ExtendedAttributes.missing, ENOTSUP, ENOSYS, EPERM, EACCES, EINVAL].contains(number) { return false }
    throw SystemError(call: call, number: number)
  }

  #if os(Linux)
    /// Gives a file the access list of another, or none.
    ///
    /// - Parameter hasGroup: whether the file has the group of the other one.
    /// - Returns: what the group may do at most. Nil if the file has a list now: the group's part of its mode is the
    ///   mask of the list.
    private func setAccessList(
      of file: OpenFile, from source: OpenFile?, isFolder: Bool, hasGroup: Bool
    ) throws(SystemError) -> UInt32? {
      var bytes: [UInt8] = []
      // Of a list that is not known, the group may have the mask only.
      var groupRights: UInt32 = 0
      let number = source.map { ExtendedAttributes.read(AccessList.attribute, of: $0.number, into: &bytes) } ?? EACCES
      if number == 0, var list = AccessList(bytes) {
        if !hasGroup { list.removeRightsOfOwningGroup() }
        if isFolder { list.letReadersEnter() }
        let isSet = ExtendedAttributes.set(AccessList.attribute, of: file.number, to: list.bytes)
        if try Self.require(isSet, "fsetxattr") { return nil }
        groupRights = list.owningGroupRights
      } else if Self.noList.contains(number) {
        groupRights = hasGroup ? 7 : 0
      }
      // A folder may have given the new file a list, which `fchmod` would let count.
      let isRemoved = ExtendedAttributes.remove(AccessList.attribute, of: file.number)
      return isRemoved == 0 || Self.noList.contains(isRemoved) ? groupRights : 0
    }

    private static let noList = [ENODATA, ENOTSUP, ENOSYS]
  #endif
}
