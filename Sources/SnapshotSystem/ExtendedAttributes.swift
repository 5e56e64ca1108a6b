/// Extended attributes of open files. On Linux an access list is one of them.
///
/// A result is 0 or an error number.
public enum ExtendedAttributes {}

#if os(Linux)
  internal import CExtendedAttributes

  extension ExtendedAttributes {
    /// The error number for an attribute that a file does not have.
    public static let missing = ENODATA

    /// Reads the names of all attributes, each with a zero at its end. They need not be UTF-8.
    public static func readNames(of descriptor: Int32, into names: inout [[CChar]]) -> Int32 {
      var bytes: [UInt8] = []
      let number = read(into: &bytes) { flistxattr(descriptor, $0, $1) }
      names = bytes.split(separator: 0).map { $0.map { CChar(bitPattern: $0) } + [0] }
      return number
    }

    /// Reads the value of an attribute.
    public static func read(_ name: UnsafePointer<CChar>, of descriptor: Int32, into value: inout [UInt8]) -> Int32 {
      read(into: &value) { fgetxattr(descriptor, name, $0, $1) }
    }

    /// Reads as many bytes as there are. More of them may come between two calls.
    private static func read(into bytes: inout [UInt8], _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> Int32 {
      while true {
        let size = call(nil, 0)
        if size < 0 { return errno }
        // A size of 0 would ask for the size again.
        let count = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size + 1) { buffer in
          let count = call(buffer.baseAddress, size + 1)
          let number = errno
          bytes = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
          return count < 0 ? -Int(number) : count
        }
        if count >= 0 { return 0 }
        if count != -Int(ERANGE) { return Int32(-count) }
      }
    }

    /// Sets an attribute.
    public static func set(_ name: UnsafePointer<CChar>, of descriptor: Int32, to value: [UInt8]) -> Int32 {
      fsetxattr(descriptor, name, value, value.count, 0) == 0 ? 0 : errno
    }

    /// Removes an attribute.
    public static func remove(_ name: UnsafePointer<CChar>, of descriptor: Int32) -> Int32 {
      fremovexattr(descriptor, name) == 0 ? 0 : errno
    }
  }
#else
  extension ExtendedAttributes {
    /// The error number for an attribute that a file does not have.
    public static let missing = ENOATTR

    /// Gives a file the access list of another.
    public static func copyAccessList(from source: Int32, to descriptor: Int32) -> Int32 {
      copy(from: source, to: descriptor, UInt32(COPYFILE_ACL))
    }

    /// Gives a file the attributes of another, Finder tags among them, and its class of data protection.
    public static func copyAttributes(from source: Int32, to descriptor: Int32) -> Int32 {
      let protection = fcntl(source, F_GETPROTECTIONCLASS)
      if protection > 0 { _ = fcntl(descriptor, F_SETPROTECTIONCLASS, protection) }
      return copy(from: source, to: descriptor, UInt32(COPYFILE_XATTR))
    }

    private static func copy(from source: Int32, to descriptor: Int32, _ what: UInt32) -> Int32 {
      fcopyfile(source, descriptor, nil, what) == 0 ? 0 : errno
    }
  }
#endif
