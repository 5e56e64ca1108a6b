import SnapshotSystem

/// The numbers of errors, and their texts.
extension SystemError {
  package static let noSuchFile = ENOENT
  package static let exists = EEXIST
  package static let tooManyLinks = ELOOP
  package static let isDirectory = EISDIR
  package static let notDirectory = ENOTDIR
  package static let badDescriptor = EBADF
  package static let invalid = EINVAL
  package static let ioError = EIO
  package static let illegalBytes = EILSEQ
  package static let accessDenied = EACCES
  package static let readOnlyFileSystem = EROFS
  package static let wouldBlock = EWOULDBLOCK
  /// What `flock` fails with where there are no locks.
  package static let noLocks = [ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS]
  package static let notEmpty = ENOTEMPTY
  /// The errors of file systems without hard links, and of files that already have the most links.
  package static let hardLinkRefusals = [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV]

  /// The system's text for the error.
  package var text: String { String(cString: strerror(number)) }
}
