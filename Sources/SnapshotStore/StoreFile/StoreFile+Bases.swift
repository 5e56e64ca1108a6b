/// The base of a merge with what others have saved.
extension StoreFile {
  /// A known version as the base of a merge, with what other programs have changed since. The author of what is in
  /// place now had seen that.
  func withForeignChange(_ known: KnownVersions<Root>.Found) -> KnownVersions<Root>.Found {
    guard let base, known.position.base != base.name, let change = base.foreignChange else { return known }
    let after = SnapshotContent(change.after, base.unknown)
    if known.content.value.hasSameTables(as: change.before.value),
      known.content.unknown.isSame(as: change.before.unknown)
    {
      return (known.position, after)
    }
    // What stores have saved since an older version is not theirs.
    let merged = SnapshotContent.merging(base: change.before, ours: known.content, theirs: after)
    return (known.position, merged.content)
  }

  /// The file that this store read or wrote last, if it led to what is on the disk.
  func knownFile(before disk: FileDescent) -> KnownVersions<Root>.Found? {
    guard let base, let value = base.value else { return nil }
    let position = FilePosition(base: base.name)
    guard disk.includes(position, isSure: true) else { return nil }
    return (position, SnapshotContent(value, base.fileUnknown))
  }
}
