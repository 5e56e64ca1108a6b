import Foundation

@testable import SnapshotStore
@testable import TestSupport

/// A model with tables and single values of many kinds between them.
struct Workspace: Model {
  struct Theme: Codable, Equatable, Sendable {
    var name = "light"
    var accent: String?
    var size = 12.0
    var margins = Margins()
  }

  struct Margins: Codable, Equatable, Sendable {
    var left = 1
    var right = 1
  }

  enum Mode: String, Codable, Sendable, CaseIterable { case edit, read }

  var theme = Theme()
  var items = Table<Counter>()
  var mode = Mode.edit
  var recent: [String] = ["first"]
  var selected: Int?
  var others = Table<Counter>()
  var dates: [String: Date] = [:]
  var ratio = 0.5
  /// A property that the schema does not name.
  @Transient var cache = 0

  static let schema = Schema<Workspace>(
    "workspace", version: 1,
    Field("theme", \.theme),
    Field("items", \.items),
    Field("mode", \.mode),
    Field("recent", \.recent),
    Field("selected", \.selected),
    Field("others", \.others),
    Field("dates", \.dates),
    Field("ratio", \.ratio),
    defaults: [DefaultValue("theme", "size", 14.0)])

  /// Changes something at random.
  mutating func change(_ generator: inout SeededGenerator) throws {
    let number = Int.random(in: 0..<40, using: &generator)
    switch Int.random(in: 0..<11, using: &generator) {
    case 0: theme.name = ["light", "dark", "é“\u{1}"][number % 3]
    case 1: theme.accent = number % 2 == 0 ? nil : "red\(number)"
    case 2: theme.margins.left = number
    case 3: mode = Mode.allCases[number % 2]
    case 4: recent = (0..<number % 4).map { "text \($0)" }
    case 5: selected = number % 3 == 0 ? nil : number
    case 6:
      dates[number == 4 ? "\u{1}" : "key \(number % 5)"] = Date(timeIntervalSinceReferenceDate: Double(number) * 1.25)
    case 7: ratio = [0.0, -0.0, .nan, .infinity, 0.1, Double(number)][number % 6]
    case 8: items.remove(number)
    case 9: try others.upsert(Counter(id: number, value: number))
    default: try items.upsert(Counter(id: number, value: Int.random(in: 0..<100, using: &generator)))
    }
  }

  static func random(_ generator: inout SeededGenerator, changes: Int = 40) throws -> Workspace {
    var workspace = Workspace()
    for _ in 0..<changes { try workspace.change(&generator) }
    return workspace
  }
}
