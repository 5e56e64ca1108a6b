/// Removes files that killed processes have left behind, and no file that may belong to another program.
///
/// The name is the first proof (``TemporaryName``); the kind and the owner of the file are the second. A file with
/// several names may be removed, because its content stays under the others. A power cut may leave such a file: it can
/// undo the rename of a save, but not the generation that was kept next.
extension FileSystem {
  /// Removes the temporary files of a file. The caller holds the lock of the file. Every process that makes such a file
  /// holds the lock until the file is gone, so none of them is in use. A failure does no harm.
  ///
  /// - Parameter owner: the owner of the file itself. A save by root gives the temporary file to this owner.
  func removeLeftoverFiles(_ temporary: TemporaryName, in directory: OpenFile, owner: UInt32?) {
    for name in (try? names(in: directory)) ?? [] where temporary.isForm(of: name) {
      guard let status = try? statusIfAny(of: name, in: directory), status.kind == .regular,
        [user, owner].contains(status.owner)
      else { continue }
      try? remove(name, in: directory)
    }
  }
}
