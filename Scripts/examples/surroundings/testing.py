"""The landing page of the testing library, and the article on testing."""

import json

from . import example
from ..pages import ROOT, expect, types
from ..programs import Surroundings


@example("fixtures")
def fixtures(_):
    before = """
import SnapshotStoreTesting
let url = URL(filePath: "notes.json")
let tutorial = URL(filePath: "tutorial.json")
func importTutorial(into store: Store<Notebook>) throws { try store.write { try $0.addNote(text: "Welcome") } }
for url in [url, tutorial] {
  let shipped = Store(Notebook(sources: .fixed()))
  try importTutorial(into: shipped)
  try SnapshotFile.create(shipped.snapshot().value, as: .json, at: url)
}
"""
    # Changes of the copy in memory must not reach the file, however the program ends.
    after = 'try store.write { try $0.addNote(text: "Another") }\nprint(store.read { $0.notes.count }, shipped.read { $0.notes.count })\n'

    def check(folder, said):
        expect(said == "2 1\n", said)
        expect((folder / "notes.json").read_bytes() == (folder / "tutorial.json").read_bytes(), "the fixture was changed")
    return Surroundings(check, before=before, after=after)


@example("violations")
def violations(examples):
    def check(_, said):
        expect(said == "[] true\n", said)
    return Surroundings(check, before=types(examples["dashboard"]))


@example("crash")
def crash(_):
    tests = (ROOT / "Tests/SnapshotStoreTestingTests/CrashExampleTests.swift").read_text()
    app = tests[tests.index("struct Book"):tests.index("struct CrashExampleTests")]
    books = tests[tests.index("  private func books"):tests.index("  @Test func whatWasFlushed")].replace("private func", "func")
    # Outside a test there is no #expect.
    before = f"""
{app}
{books}
nonisolated(unsafe) var expectations = 0
func expect(_ condition: Bool) {{
  expectations += 1
  if !condition {{ fatalError("a flushed book is lost") }}
}}
"""

    def check(_, said):
        expect(int(said) > 100, said)
    return Surroundings(check, before=before, after="print(expectations)\n")


@example("simulated")
def simulated(examples):
    def check(_, said):
        expect(said != "" and set(said.split()) == {"1"}, said)
    return Surroundings(check, before=types(examples["dashboard"]))
