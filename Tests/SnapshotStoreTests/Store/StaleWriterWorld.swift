import Foundation

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A page whose texts only grow. Every change appends a mark of its own, so the author of a text with a mark knew that
/// mark.
struct Page: Record {
  let id: Int
  var text = ""
  var note = ""
}

struct Pages: Model {
  var pages = Table<Page>()

  static let schema = Schema<Pages>("pages", version: 1, Field("pages", \.pages))

  /// All texts, for a search for marks.
  var marks: Set<Substring> {
    Set(pages.flatMap { ($0.text + $0.note).split(separator: "·") })
  }
}

/// The edits of a store or a writer.
enum PageEdit: CaseIterable {
  case firstText, firstNote, secondText, removeSecond, insert

  func apply(_ mark: String, _ number: Int, to value: inout Pages) throws {
    switch self {
    case .firstText: try value.change(1) { $0.text += "·\(mark)" }
    case .firstNote: try value.change(1) { $0.note += "·\(mark)" }
    case .secondText: try value.change(2) { $0.text += "·\(mark)" }
    case .removeSecond: value.pages.remove(2)
    case .insert: try value.pages.upsert(Page(id: 10 + number, text: "·\(mark)"))
    }
  }
}

extension Pages {
  /// Changes a page, and makes it again if it was removed.
  fileprivate mutating func change(_ id: Int, _ body: (inout Page) -> Void) throws {
    var page = pages[id] ?? Page(id: id)
    body(&page)
    try pages.upsert(page)
  }
}

/// A store, and programs that read its file, and later write their edits of it.
struct StaleWriterWorld {
  let test = StoreUnderTest()
  let store: Store<Pages>
  /// Whether marks are so long that two programs do not write the same ones.
  let hasLongMarks: Bool
  private var readers: [Int: Pages] = [:]
  /// The marks of successful saves, and of others' values that the store has merged.
  private var acknowledged: Set<Substring> = []
  private(set) var lastMark = 0

  init(_ policy: ExternalChange.Policy, hasLongMarks: Bool) throws {
    var options = StoreOptions(policy: .manual)
    options.externalChanges = policy
    options.generations = Generation.Policy(count: 0)
    options.log = { _ in }
    self.hasLongMarks = hasLongMarks
    store = try test.open(Pages.self, options)
    try store.write { value in
      for id in 1...2 { try value.pages.upsert(Page(id: id, text: "·p\(id)", note: "·n\(id)")) }
    }
    try store.flushAndWait()
  }

  private mutating func nextMark(_ name: String) -> (String, Int) {
    lastMark += 1
    return (hasLongMarks ? "\(name)\(lastMark) wrote this" : "\(name)\(lastMark)", lastMark)
  }

  /// The store makes an edit, and flushes.
  mutating func save(_ edit: PageEdit) throws {
    let (mark, number) = nextMark("s")
    let before = store.snapshot().value.marks
    try store.write { try edit.apply(mark, number, to: &$0) }
    // A mark that the store removes itself is not lost.
    acknowledged.subtract(before.subtracting(store.snapshot().value.marks))
    guard (try? store.flushAndWait()) != nil else { return }
    acknowledged.formUnion(store.snapshot().value.marks)
  }

  mutating func look() async {
    switch await store.checkFile() {
    case .reloaded?, .merged?, .replaced?: acknowledged.formUnion(store.snapshot().value.marks)
    default: break
    }
  }

  mutating func read(_ writer: Int) throws { readers[writer] = try test.stored(Pages.self) }

  mutating func write(_ writer: Int, _ edit: PageEdit) throws {
    guard var value = readers[writer] else { return }
    let before = value.marks
    let (mark, number) = nextMark(writer == 1 ? "v" : "w")
    try edit.apply(mark, number, to: &value)
    // A mark that a writer has seen and removes is not lost.
    acknowledged.subtract(before.subtracting(value.marks))
    test.bytes = try SnapshotFile.encode(value, as: .json)
  }

  /// The acknowledged marks that are neither in the file, nor in the store, nor in a file beside it.
  func lost() throws -> Set<Substring> {
    var found = store.snapshot().value.marks
    for path in test.paths where path.hasSuffix(".json") {
      guard let bytes = test.fileSystem[path] else { continue }
      found.formUnion(try SnapshotFile.decode(Pages.self, from: bytes).marks)
    }
    return acknowledged.subtracting(found)
  }
}
