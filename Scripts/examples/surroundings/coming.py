"""The articles for those who come from files, from SQLite, and from Core Data and SwiftData."""

from . import STORE, content, example
from ..pages import expect
from ..programs import Surroundings

OLD = 'let oldURL = URL(filePath: "books-before.json")\n'
BOOKS = '[{"id":1,"title":"The Waves","isRead":true},{"id":2,"title":"Swann\'s Way","isRead":false}]'


@example("files-before")
def files_before(_):
    def check(folder, said):
        expect(said == '["Swann\\\'s Way"]\n', said)
        expect([book["isRead"] for book in content(folder, "books-before.json")] == [True, False], said)
    return Surroundings(check, before=OLD)


@example("files-after")
def files_after(_):
    def check(folder, said):
        expect(said == '["To the Lighthouse"]\n', said)
        expect([book["isRead"] for book in content(folder)["books"]] == [True, True, False], content(folder))
        expect(content(folder)["settings"]["theme"] == "light", content(folder))
    return Surroundings(check, before=STORE + OLD, files={"books-before.json": BOOKS})


@example("sqlite-after")
def sqlite_after(_):
    def check(folder, said):
        expect(said == '["To the Lighthouse"]\n', said)
        expect(len(content(folder)["books"]) == 3, content(folder))
    return Surroundings(check, before=STORE)


@example("sqlite-import")
def sqlite_import(examples):
    line = '{"id":%d,"title":"t","author":"a","isRead":false}\n'
    types = examples["sqlite-after"].split("try store.write", 1)[0]

    def check(folder, said):
        expect(said == "2\n" and len(content(folder)["books"]) == 2, said)
    before = STORE + 'let lines = URL(filePath: "books.ndjson")\n' + types
    return Surroundings(check, before=before, files={"books.ndjson": line % 1 + line % 2})


@example("swiftdata-after")
def swiftdata_after(_):
    def check(folder, said):
        expect(said == '["The Waves"]\n0\n', said)
        expect(content(folder)["authors"] == [] and content(folder)["books"] == [], content(folder))
    return Surroundings(check, before=STORE)


@example("swiftdata-move")
def swiftdata_move(examples):
    types = examples["swiftdata-after"].split("try store.write", 1)[0]
    after = 'try move([("The Waves", "Woolf", true), ("Flush", "Woolf", false)])\n'

    def check(folder, _):
        expect([book["title"] for book in content(folder)["books"]] == ["The Waves", "Flush"], content(folder))
        expect(content(folder)["authors"] == [{"id": "Woolf"}], content(folder))
    return Surroundings(check, before=STORE + types, after=after)
