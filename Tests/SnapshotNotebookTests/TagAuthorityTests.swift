import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The only way to make a tag gives one tag per name.
struct TagAuthorityTests {
  @Test func aNameIsMadeOnce() {
    var notebook = Notebook.empty()
    let made = notebook.tag(named: "  New   York ")
    #expect(made.id == "new york")
    #expect(made.name == "New York")
    #expect(made.nameModificationDate == .day(1))

    notebook.goTo(day: 2)
    let tags = notebook.tags
    for name in ["New York", "NEW YORK", "new york", "\tnew\u{A0}York\n", "New  York"] {
      #expect(notebook.tag(named: name) == made)
      #expect(notebook.existingTag(named: name) == made)
    }
    // The first spelling stays, and an existing tag is not changed at all.
    #expect(notebook.tags.isIdentical(to: tags))
    #expect(notebook.allViolations() == [])
  }

  @Test func lookingMakesNothing() {
    let notebook = Notebook.empty()
    #expect(notebook.existingTag(named: "Paris") == nil)
    #expect(notebook.existingTag(named: "") == nil)
    #expect(notebook.existingTag(named: " \n") == nil)
    #expect(notebook.tags.isEmpty)
    #expect(notebook.allViolations() == [])
  }

  @Test func normalisationAndCaseMakeNoOtherName() {
    each([
      ("caf\u{E9}", "cafe\u{301}"), ("CAFE\u{301}", "caf\u{E9}"), ("\u{212B}", "A\u{30A}"), ("K", "\u{212A}"),
    ]) { (a: String, b: String) in
      var notebook = Notebook.empty()
      let tag = notebook.tag(named: a)
      #expect(notebook.tag(named: b) == tag)
      #expect(notebook.tags.count == 1)
      #expect(tag.name.utf8.elementsEqual(a.utf8))
      #expect(notebook.allViolations() == [])
    }
  }

  @Test func namesThatLookAlikeStayApart() {
    var notebook = Notebook.empty()
    for name in ["I", "ı", "İ", "ss", "ß", "a b", "ab", "é", "e"] { notebook.tag(named: name) }
    #expect(notebook.tags.count == 9)
    // Each is found by its name and by its id.
    for tag in notebook.tags {
      #expect(notebook.existingTag(named: tag.name) == tag)
      #expect(notebook.existingTag(named: tag.id) == tag)
    }
    #expect(notebook.allViolations() == [])
  }

  @Test func namesFromOutside() throws {
    var notebook = Notebook.empty()
    #expect(try notebook.tag(checkedName: "Paris") == notebook.tag(named: "paris"))
    let before = notebook
    for name in ["", "   ", "\u{3000}"] {
      expectRefusal(.invalidValue) { try notebook.tag(checkedName: name) }
    }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  @Test func anEmptyNameInTheProgramTraps() async {
    await #expect(processExitsWith: .failure) {
      var notebook = Notebook()
      notebook.tag(named: "")
    }
    await #expect(processExitsWith: .failure) {
      var notebook = Notebook()
      notebook.tag(named: " \n\u{3000}")
    }
  }

  @Test func respelling() throws {
    var notebook = try Notebook.small()
    notebook.goTo(day: 2)
    let notes = notebook.notes
    try notebook.renameTag("paris", to: " PARIS ")
    #expect(notebook.tags["paris"]?.name == "PARIS")
    #expect(notebook.tags["paris"]?.nameModificationDate == .day(2))
    #expect(notebook.tags["new york"]?.nameModificationDate == .day(1))
    #expect(notebook.notes.isIdentical(to: notes))

    // The same spelling with other spacing changes nothing.
    notebook.goTo(day: 3)
    let before = notebook
    try notebook.renameTag("paris", to: "PARIS  ")
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  /// A spelling that differs only in normalisation is another spelling, and is kept exactly.
  @Test func respellingInAnotherNormalisation() throws {
    var notebook = Notebook.empty()
    let id = notebook.tag(named: "caf\u{E9}").id
    notebook.goTo(day: 2)
    try notebook.renameTag(id, to: "cafe\u{301}")
    #expect(notebook.tags[id]?.name.utf8.elementsEqual("cafe\u{301}".utf8) == true)
    #expect(notebook.tags[id]?.nameModificationDate == .day(2))
    #expect(notebook.allViolations() == [])
  }

  /// The same in Hangul, where Foundation gives the two spellings different composed forms.
  @Test func respellingAHangulSyllable() throws {
    var notebook = Notebook.empty()
    let id = notebook.tag(named: "\u{AC00}\u{11A8}").id
    try notebook.renameTag(id, to: "\u{AC01}")
    #expect(notebook.tags.count == 1)
    #expect(notebook.allViolations() == [])
  }

  @Test func aStoreLooksBeforeItWrites() throws {
    let store = Store(Notebook.empty())
    let made = try store.tag(named: " New  York ")
    #expect(made.name == "New York")
    #expect(store.revision == 1)
    #expect(try store.tag(named: "NEW YORK") == made)
    #expect(try store.tag(checkedName: "new york") == made)
    #expect(store.existingTag(named: "New york") == made)
    #expect(store.existingTag(named: "Paris") == nil)
    #expect(store.revision == 1)
    #expect(throws: SnapshotError.self) { try store.tag(checkedName: " \n") }
    // An existing tag needs no transaction, so a closed store returns it too.
    try store.closeAndWait()
    #expect(try store.tag(named: "new york") == made)
    #expect(throws: SnapshotError.self) { try store.tag(named: "Paris") }
    #expect(store.read { $0.tags.count } == 1)
  }
}
