import Foundation
import SnapshotStore
import Synchronization
import Testing

@testable import TestSupport

/// Single values that would silently be lost.
extension SchemaMistakeTests {
  struct Settings: Codable, Equatable, Sendable {
    var theme = "light"
    var size = 12
  }

  /// A single value that would never be saved, beside one of the same type that is.
  struct Careless: Model {
    var things = Table<Thing>()
    var shown = Settings()
    var printed = Settings()
    static let schema = Schema<Careless>("m", version: 1, Field("things", \.things), Field("shown", \.shown))
  }

  /// Fields lead into a structure, but not to all of it.
  struct Halfway: Model {
    var count: UInt8 = 0
    var settings = Settings()
    static let schema = Schema<Halfway>(
      "m", version: 1,
      Field("count", \.count),
      Field("theme", \.settings.theme))
  }

  struct CarelessWhole: Model {
    var flag = false
    var part = CarelessPart()
    static let schema = Schema<CarelessWhole>("m", version: 1, Field("flag", \.flag), Field(part: \.part))
  }

  struct CarelessPart: Model {
    var things = Table<Thing>()
    var limit: Int? = 3
    static let schema = Schema<CarelessPart>("p", version: 1, Field("things", \.things))
  }

  final class Usage: Sendable {
    let count = Mutex(0)
  }

  /// Single values in structures, transient ones, and properties that nobody could save.
  struct Careful: Model {
    struct Cache: Sendable {
      var hits = 0
    }

    var things = Table<Thing>()
    var flag = false
    var settings = Settings()
    var part = CarefulPart()
    var cache = Cache()
    @Transient var selection: Int?
    lazy var sum = 0
    let usage = Usage()
    static let schema = Schema<Careful>(
      "m", version: 1,
      Field("things", \.things),
      Field("flag", \.flag),
      Field("theme", \.settings.theme),
      Field("size", \.settings.size),
      Field(part: \.part))
  }

  struct CarefulPart: Model {
    var others = Table<Thing>()
    var limit: Int? = 3
    @Transient var counter = 0
    static let schema = Schema<CarefulPart>(
      "p", version: 1,
      Field("others", \.others),
      Field("limit", \.limit))
  }

  @Test func aForgottenValueTraps() async {
    let careless = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Store<Careless>()
    }
    expect(["Careless", "“printed”", "never be saved", "Field(\"printed\", \\.printed)", "@Transient"], in: careless)
    let halfway = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Store<Halfway>()
    }
    expect(["“settings.size”"], in: halfway)
    let whole = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Store<CarelessWhole>()
    }
    expect(["“part.limit”"], in: whole)
  }

  @Test func transientValuesAreNotSaved() throws {
    let store = Store(Careful())
    try store.write { model in
      model.selection = 3
      model.part.counter = 5
    }
    #expect(store.read { $0.selection == 3 && $0.part.counter == 5 })
    #expect(store.snapshot().revision == 0)
    let bytes = try SnapshotFile.encode(store.read { $0 }, as: .json)
    let read = try SnapshotFile.decode(Careful.self, from: bytes)
    #expect(read.selection == nil && read.part.counter == 0 && read.part.limit == 3)
  }
}
