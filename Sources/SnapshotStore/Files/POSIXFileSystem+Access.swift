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
    // While the owner may write: otherwise the system does not permit it.
    if attributes, let source { try copyAttributes(from: source, to: file) }
    var mode = status.mode
    // The rights of the old group must not become rights of another one. Its members are now among all others.
    if !hasGroup { mode = mode & ~0o077 | mode & 7 & mode >> 3 }
    #if os(Linux)
      mode = try setAccessList(
        of: file, from: source, like: status, without: mode, isFolder: current.kind == .directory, hasGroup: hasGroup)
    #else
      if let source, current.kind == .regular {
        try Self.require(ExtendedAttributes.copyAccessList(from: source.number, to: file.number), "fcopyfile")
      }
    #endif
    _ = try Self.call("fchmod") { fchmod(file.number, mode_t(mode)) }
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
      var (names, value): ([[CChar]], [UInt8]) = ([], [])
      try Self.require(ExtendedAttributes.readNames(of: source.number, into: &names), "flistxattr")
      // The others belong to the system, which sets them itself.
      for name in names where name.starts(with: Self.beginningOfUsers) {
        let number = ExtendedAttributes.read(name, of: source.number, into: &value)
        guard try Self.require(number, "fgetxattr") else { continue }
        try Self.require(ExtendedAttributes.set(name, of: file.number, to: value), "fsetxattr")
      }
    #else
      try Self.require(ExtendedAttributes.copyAttributes(from: source.number, to: file.number), "fcopyfile")
    #endif
  }

  private static let beginningOfUsers = "user.".utf8.map { CChar($0) }

  /// Whether a call on an attribute had success. It has none if there is no such attribute. Nor has it if the file
  /// system has no attributes, does not permit them, or has more names of them than it can list.
  ///
  /// - Parameter number: the error number of the call, or 0.
  @discardableResult
  private static func require(_ number: Int32, _ call: String) throws(SystemError) -> Bool {
    if number == 0 { return true }
    if [ExtendedAttributes.missing, ENOTSUP, ENOSYS, EPERM, EACCES, EINVAL, E2BIG].contains(number) { return false }
    throw SystemError(call: call, number: number)
  }

  #if os(Linux)
    /// Gives a file the access list of another, or none.
    ///
    /// - Parameters:
    ///   - mode: the mode for a file without a list.
    ///   - hasGroup: whether the file has the group of the other one.
    /// - Returns: the mode that the file gets. With a list the group's part of it is the mask of the list.
    private func setAccessList(
      of file: OpenFile, from source: OpenFile?, like status: FileStatus, without mode: UInt32, isFolder: Bool,
      hasGroup: Bool
    ) throws(SystemError) -> UInt32 {
      var (bytes, mode): ([UInt8], UInt32) = ([], mode)
      let number = source.map { ExtendedAttributes.read(AccessList.attribute, of: $0.number, into: &bytes) } ?? EACCES
      if number == 0, var list = AccessList(bytes) {
        if !hasGroup { list.replaceOwningGroup() }
        if isFolder { list.letReadersEnter() }
        let isSet = ExtendedAttributes.set(AccessList.attribute, of: file.number, to: list.bytes)
        if try Self.require(isSet, "fsetxattr") { return status.mode & ~0o007 | status.mode & list.otherRights }
        mode &= list.modeInstead(of: status.mode)
      } else if !Self.noList.contains(number) {
        // Of a list that is not known, nobody has a right but the owner.
        mode &= ~0o077
      }
      // A folder may have given the new file a list, which `fchmod` would let count.
      let isRemoved = ExtendedAttributes.remove(AccessList.attribute, of: file.number)
      return isRemoved == 0 || Self.noList.contains(isRemoved) ? mode : mode & ~0o077
    }

    private static let noList = [ENODATA, ENOTSUP, ENOSYS]
  #endif
}
