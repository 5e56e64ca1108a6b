"""The articles on models, migrations and rules."""

import json

from . import STORE, content, example, posts
from ..pages import expect, types
from ..programs import Surroundings


@example("settings")
def settings(examples):
    def check(folder, _):
        file = content(folder)
        expect(file["settings"] == {"theme": "dark", "fontSize": 12} and file["posts"] == [], file)
    post = types(examples["dashboard"]).split("\nstruct Dashboard", 1)[0] + "\n"
    return Surroundings(check, before=STORE + post)


VALUE = {"theme": "dark", "fontSize": 12}


@example("value-alone")
def value_alone(_):
    def check(folder, _):
        file = content(folder)
        expect(file.pop("snapshot")["schema"] == "value" and file == VALUE, file)
    return Surroundings(check, before=STORE)


@example("value-grows")
def value_grows(examples):
    def check(folder, said):
        file = content(folder)
        expect(said == "dark 1\n" and file["bookmarks"] == [{"id": "1", "title": "Orsay"}], file)
        expect(file["theme"] == "dark", file)
    old = json.dumps({"snapshot": {"schema": "value", "version": 1}} | VALUE)
    return Surroundings(check, before=STORE + types(examples["value-alone"]), files={"store.json": old})


@example("indexes")
def indexes(_):
    def check(_, said):
        expect(said == """Ada 2
2
["Ada", "Bo"] 1
["Bo"]
2
true bo@example.org
Eve
2
""", said)
    return Surroundings(check)


@example("rules")
def rules(_):
    def check(folder, said):
        expect(said.startswith("none\n") and "the price is 0" in said, said)
        expect(content(folder)["pots"] == [{"id": 1, "price": 20}], content(folder))
    return Surroundings(check, before=STORE)


@example("relations")
def relations(_):
    def check(folder, said):
        expect(said == "items 2: its order “7” does not exist\n[]\n0\n", said)
        file = content(folder)
        expect([file["orders"], file["labels"], file["items"]] == [[], [], []], file)
    return Surroundings(check, before=STORE)


@example("derived")
def derived(_):
    def check(folder, said):
        expect(said == "0\n21\n", said)
        expect(content(folder)["orders"] == [{"id": 1, "total": 21}], content(folder))
        expect(content(folder)["itemCount"] == 2, content(folder))
    return Surroundings(check, before=STORE)


OLD_POST = {"id": "1", "blogName": "b", "title": "t", "body": "x"}
OLD_FILE = json.dumps({"snapshot": {"schema": "dashboard", "version": 1}, "posts": [OLD_POST]})


@example("migration")
def migration(_):
    def check(folder, _):
        file = content(folder)
        expect(file["snapshot"]["version"] == 3, file)
        expect(file["posts"] == [{"id": "1", "blog": "b", "text": "t\n\nx", "isDraft": True}], file)
    after = 'let store = try Store<Dashboard>.open(at: url)\ntry store.write { try $0.posts.update("1") { $0.isDraft = true } }\n'
    return Surroundings(check, before=STORE, after=after, files={"store.json": OLD_FILE})


@example("migration-test")
def migration_test(examples):
    def check(folder, said):
        steps = '["blogs are called blogs", "title and body are one text"]'
        expect(said == f'{steps}\n["t\\n\\nx"] []\n', said)
        expect((folder / "store.json").read_text() == OLD_FILE, "the file was changed")
    return Surroundings(check, before=STORE + examples["migration"], files={"store.json": OLD_FILE})


@example("tombstones")
def tombstones(_):
    def check(folder, said):
        expect(said == "0 1\n", said)
        file = content(folder)
        expect(file["posts"] == [], file)
        expect([tombstone["id"] for tombstone in file["deletedPosts"]] == ["1"], file)
        expect("deletionDate" in file["deletedPosts"][0], file)
    return Surroundings(check, before=STORE)
