"""The articles of the notebook."""

from . import STORE, content, example
from ..pages import expect
from ..programs import Surroundings


@example("part")
def part(_):
    def check(folder, _):
        file = content(folder)
        expect([note["text"] for note in file["notes"]] == ["A walk"], file)
        expect(file["places"] == [{"id": "Paris", "note": file["notes"][0]["id"]}], file)
    return Surroundings(check, before=STORE)


@example("notes")
def notes(_):
    def check(folder, _):
        file = content(folder)
        tags = {note["text"]: (note["tags"], note["archived"]) for note in file["notes"]}
        expect(tags == {"A walk by the river": (["paris"], False), "Bread, cheese, pears": (["done"], False)}, file)
    return Surroundings(check, before=STORE)


@example("lists")
def lists(examples):
    def check(_, output):
        expect("Paris 1" in output and "A walk by the river" in output, output)
    before = STORE + examples["notes"].replace("let store", "let first").replace("store.write", "first.write")
    after = 'print(found.count, typed.map(\\.name).joined())\nprint(notebook.notes.count, "Paris")\n'
    return Surroundings(check, before=before + "try first.closeAndWait()\n", after=after)


@example("SnapshotNotebook-1")
def notebook_guide(_):
    def check(folder, said):
        file = content(folder)
        expect([note["text"] for note in file["notes"]] == ["Café de Flore"] and said == "1\n", file)
    return Surroundings(check, before=STORE, after="print(store.read { $0.notes.count })\n")
