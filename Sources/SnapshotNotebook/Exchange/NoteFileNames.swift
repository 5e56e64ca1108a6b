import SnapshotStore

/// Names for the files of notes, made from their titles.
///
/// A name is valid on every common system:
///
/// - It has at most 255 bytes of UTF-8 with its extension.
/// - It has no character that a system forbids, no dot at the beginning, and no dot or space at the end.
/// - It is not a name that Windows reserves for devices.
///
/// Names that differ only in case, in normalisation or in invisible characters are equal, because many file systems
/// treat them as equal.
struct NoteFileNames {
  private let suffix: String
  private var taken: Set<String> = []

  /// - Parameter fileExtension: the extension of all names, without the dot.
  init(fileExtension: String) { suffix = "." + fileExtension }

  /// Reserves a name, so that it is not given to a note.
  mutating func reserve(_ name: String) { taken.insert(Self.key(name)) }

  /// A new unique name.
  mutating func name(title: String, id: Note.ID) -> String { name(title: title, id: id) { _ in false } }

  /// A new unique name: the title. If it is taken, the id follows; if that is taken too, a number.
  ///
  /// - Parameter isFree: whether a reserved name may be used all the same.
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

  /// The form in which names are compared.
  private static func key(_ name: String) -> String {
    // Canonically equivalent texts are equal anyway. Upper case first makes ß equal to ss.
    var visible = String.UnicodeScalarView()
    visible.append(contentsOf: name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint })
    return String(visible).uppercased().lowercased()
  }

  // MARK: From a title to a name

  /// A title as the name of a file without an extension; “Untitled” if no character of it can be used.
  static func stem(_ title: String) -> String {
    var stem = String.UnicodeScalarView()
    var pendingSpace = false
    // A longer name would be cut anyway, and a title may be as long as the note.
    for scalar in title.unicodeScalars.prefix(1_000) {
      guard let good = repaired(scalar) else {
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

  /// The character that replaces another one in a name; nil if a space replaces it, or nothing.
  private static func repaired(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
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

  /// Whether Windows reserves a name for a device, with any extension.
  private static func isReserved(_ name: String) -> Bool {
    let stem = trimmedEnd(String(name.prefix { $0 != "." })).uppercased()
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(stem) { return true }
    guard stem.count == 4, stem.hasPrefix("COM") || stem.hasPrefix("LPT"), let digit = stem.last else { return false }
    return "0123456789¹²³".contains(digit)
  }

  /// The longest prefix of whole characters within a number of bytes. If the first character does not fit, a part of
  /// it.
  private static func cut(_ name: String, to limit: Int) -> String {
    if name.utf8.count <= limit { return name }
    let prefix = prefix(of: name, limit)
    if !prefix.isEmpty { return trimmedEnd(String(prefix)) }
    var scalars = name.unicodeScalars[...]
    while String(scalars).utf8.count > limit { scalars.removeLast() }
    return String(scalars)
  }

  /// The longest prefix of whole characters within a number of bytes.
  private static func prefix(of name: String, _ limit: Int) -> Substring {
    var prefix = name[...]
    while prefix.utf8.count > limit { prefix.removeLast() }
    return prefix
  }
}
