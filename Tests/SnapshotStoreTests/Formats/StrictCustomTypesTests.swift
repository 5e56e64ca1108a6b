import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Types that decode themselves by hand. A key that they never ask for is still found.
@Suite struct StrictCustomTypesTests {
  @Test func aTypeThatTriesOneFormAfterTheOther() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let good: [Item] = [
        ["id": 1, "value": "short"], ["id": 2, "value": ["long": "l"]], ["id": 3, "value": ["a", "b"]],
      ]
      let root = try SnapshotFile.decode(CustomModel.self, from: document(good, format))
      #expect(root.items.map(\.value.text) == ["short", "l", "ab"])
      let bad = good + [["id": 4, "value": ["long": "l", "x": 1]]]
      expectRefusal(
        of: document(bad, format), as: CustomModel.self, .unknownKey, containing: "unknown key “x”",
        at: "items[3].value")
    }
  }

  /// The same for a value that passes its decoder on to another, which handles its own keys.
  @Test func aTypeThatIsAnotherInside() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let good: Item = ["id": 1, "value": "x", "wrapped": ["long": "l"]]
      #expect(throws: Never.self) { try SnapshotFile.decode(CustomModel.self, from: document([good], format)) }
      let bad = good.changing(["wrapped": ["long": "l", "x": 1]])
      expectRefusal(of: document([bad], format), as: CustomModel.self, .unknownKey, containing: "unknown key “x”")
    }
  }

  /// Both classes write into one dictionary.
  @Test func aClassAndItsBaseInOneDictionary() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let good: Item = ["id": 1, "value": "x", "dog": ["legs": 4, "name": "Rex"]]
      let root = try SnapshotFile.decode(CustomModel.self, from: document([good], format))
      #expect(root.items.first?.dog?.legs == 4 && root.items.first?.dog?.name == "Rex")
      #expect(try SnapshotFile.encode(root, as: format) == document([good], format))
      let bad = good.changing(["dog": ["legs": 4, "name": "Rex", "tail": 1]])
      expectRefusal(of: document([bad], format), as: CustomModel.self, .unknownKey, containing: "unknown key “tail”")
    }
  }

  /// The type's own error, which is no `DecodingError`, with a text from the file.
  @Test func aTypeThatThrowsItsOwnError() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bad: Item = ["id": 1, "value": "throw\u{1B}[31m"]
      expectRefusal(
        of: document([bad], format), as: CustomModel.self, .invalidValue, containing: "throw", at: "items[0]")
    }
  }

  private func document(_ items: [Item], _ format: FileFormat) -> [UInt8] {
    Crafted.document(["items": items], as: format, schema: "custom")
  }
}

private struct OwnError: Error { let text: String }

/// A text, a dictionary with a text, or an array of texts.
private struct Flexible: Codable, Equatable, Sendable {
  var text: String
  private enum Key: CodingKey { case long }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      if text.hasPrefix("throw") { throw OwnError(text: text) }
      self.text = text
    } else if var list = try? decoder.unkeyedContainer() {
      text = ""
      while !list.isAtEnd { text += try list.decode(String.self) }
    } else {
      text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .long)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

private struct Long: Codable, Equatable, Sendable { var long: String }

private struct Wrapper: Codable, Equatable, Sendable {
  var long: Long

  init(from decoder: any Decoder) throws { long = try decoder.singleValueContainer().decode(Long.self) }
  func encode(to encoder: any Encoder) throws { try long.encode(to: encoder) }
}

private final class Dog: Animal, Equatable, @unchecked Sendable {
  let name: String
  private enum Key: CodingKey { case name }

  required init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .name)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
  }

  static func == (a: Dog, b: Dog) -> Bool { a.name == b.name && a.legs == b.legs }
}

private struct Custom: Record {
  let id: Int
  var value: Flexible
  var wrapped: Wrapper?
  var dog: Dog?
}

private struct CustomModel: Model {
  var items = Table<Custom>()
  static let schema = Schema<CustomModel>("custom", version: 1, Field("items", \.items))
}
