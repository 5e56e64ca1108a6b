import SnapshotStore

/// Gives notes names for files of their own, after their titles.
///
/// A name is good on every system that people have: at most 255 bytes of UTF-8 with its extension, no characters that
/// one of them forbids, no dot in front, no dot or space at the end, not one that Windows keeps for devices. Names that
/// differ only in case, in normalisation or in invisible characters are one, because many file systems take them for
/// one.
struct NoteFileNames {
  private let suffix: String
  private var taken: Set<String> = []

  /// - Parameter fileExtension: of all names, without the dot.
  init(fileExtension: String) { suffix = "." + fileExtension }

  /// Makes a name one that is not given again.
  mutating func reserve(_ name: String) { taken.insert(Self.key(name)) }

  /// A name that was not given before.
  mutating func name(title: String, id: Note.ID) -> String { name(title: title, id: id) { _ in false } }

  /// A name that was not given before: the title, with the id behind it if that is taken, with a number behind both at
  /// last.
  ///
  /// - Parameter isFree: whether a name that is reserved may be given all the same.
  mutating func name(title: String, id: Note.ID, isFree: (String) throws -> Bool) rethrows -> String {
    let stem = Self.stem(title)
    var number = 1
    var name = Self.cut(stem, to: 255 - suffix.utf8.count) + suffix
    while !taken.insert(Self.key(name)).inserted, try !isFree(name) {
      let end = number == 1 ? " \(id)" : " \(id) \(number)"
      name = Self.cut(stem, to: 255 - suffix.utf8.count - end.utf8.count) + end + suffix
      number += 1
    }
    return name
  }

  /// What names are compared by.
  private static func key(_ name: String) -> String {
    // Texts that are canonically equivalent are equal anyway; upper case first brings ß and ss together.
    var visible = String.UnicodeScalarView()
    visible.append(contentsOf: name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint })
    return String(visible).uppercased().lowercased()
  }

  // MARK: From a title to a name

  /// A title as the name of a file, without an extension; “Untitled” if nothing is left of it.
  static func stem(_ title: String) -> String {
    var stem = String.UnicodeScalarView()
    var pendingSpace = false
    // The rest would be cut off anyway, and a title may be as long as the note.
    for scalar in title.unicodeScalars.prefix(1_000) {
      guard let good = mended(scalar) else {
        pendingSpace = pendingSpace || !scalar.properties.isBidiControl
        continue
      }
      if stem.isEmpty, good == "." { continue }
      if pendingSpace, !stem.isEmpty { stem.append(" ") }
      pendingSpace = false
      stem.append(good)
    }
    let result = trimmedEnd(String(stem))
    if result.isEmpty { return "Untitled" }
    return isReserved(result) ? "_" + result : result
  }

  /// The character that stands for another one in a name; nil where a space will do, if any.
  private static func mended(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "/", "\\", ":", "|": return "-"
    case "*", "?", "\"", "<", ">": return nil
    default: break
    }
    let properties = scalar.properties
    if properties.isWhitespace || properties.isBidiControl || properties.isNoncharacterCodePoint { return nil }
    return properties.generalCategory == .control ? nil : scalar
  }

  /// Windows drops dots and spaces at the end.
  private static func trimmedEnd(_ name: String) -> String {
    var scalars = name.unicodeScalars[...]
    while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
    return String(scalars)
  }

  /// Whether Windows takes a name for a device, whatever extension it has.
  private static func isReserved(_ name: String) -> Bool {
    let stem = trimmedEnd(String(name.prefix { $0 != "." })).uppercased()
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(stem) { return true }
    guard stem.count == 4, stem.hasPrefix("COM") || stem.hasPrefix("LPT"), let digit = stem.last else { return false }
    return "0123456789¹²³".contains(digit)
  }

  /// The characters at the beginning that fit into so many bytes; of a character that does not fit alone, a part.
  private static func cut(_ name: String, to limit: Int) -> String {
    if name.utf8.count <= limit { return name }
    let prefix = prefix(of: name, limit)
    if !prefix.isEmpty { return trimmedEnd(String(prefix)) }
    var scalars = name.unicodeScalars[...]
    while String(scalars).utf8.count > limit { scalars.removeLast() }
    return String(scalars)
  }

  /// The characters at the beginning that fit into so many bytes.
  private static func prefix(of name: String, _ limit: Int) -> Substring {
    var prefix = name[...]
    while prefix.utf8.count > limit { prefix.removeLast() }
    return prefix
  }
}
