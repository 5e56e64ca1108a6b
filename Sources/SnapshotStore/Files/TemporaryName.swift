/// The names of temporary files and folders beside the place that they are for: `.name.3f9a….tmp`, hidden, told from others'
/// files by their form, and unlikely to be taken.
struct TemporaryName {
  /// What all of them begin with. It must fit into 255 bytes with what is added to it.
  private let stem: String

  init(for location: FileLocation) { stem = ".\(location.name.shortenedFileName)." }

  func with(_ number: UInt64) -> String { "\(stem)\(String(number, radix: 36)).tmp" }

  /// Whether a name is one of these.
  func isForm(of name: String) -> Bool {
    guard name.utf8.starts(with: stem.utf8), name.utf8.count > stem.utf8.count + 4, name.hasSuffix(".tmp") else {
      return false
    }
    let digits = name.utf8.dropFirst(stem.utf8.count).dropLast(4)
    return digits.count <= 13 && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }
}
