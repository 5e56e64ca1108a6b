"""The article on files that others edit."""

from . import STORE, example, posts
from ..pages import expect, types
from ..programs import Surroundings

DASHBOARD = '{"snapshot":{"schema":"dashboard","version":1},"posts":[{"id":"1","blogName":"%s","body":"%s","tags":[]}]}'


@example("others")
def others(examples):
    def check(folder, said):
        expect(said == """merged, conflicts: 0 kept: nothing
Post(id: "1", blogName: "b", body: "A long walk by the river", tags: ["paris"])
""", said)
        expect([(post["body"], post["tags"]) for post in posts(folder)] == [("A long walk by the river", ["paris"]), ("Rain in the afternoon", [])],
               posts(folder))
    return Surroundings(check, before=STORE + types(examples["dashboard"]))


@example("sessions")
def sessions(examples):
    def check(folder, said):
        expect(said == "1\n" and posts(folder)[0]["body"] == "Fog", posts(folder))
    return Surroundings(check, before=STORE + types(examples["dashboard"]))


@example("sharing")
def sharing(examples):
    def check(folder, said):
        expect(said == """Fog
Fog in the morning ["london"]
""", said)
        expect([(post["body"], post["tags"]) for post in posts(folder)] == [("Fog in the morning", ["london"])], posts(folder))
    return Surroundings(check, before=STORE + types(examples["dashboard"]))


@example("suspending")
def suspending(examples):
    def check(folder, said):
        expect(said == "" and posts(folder) == [], said)
        expect([path.name for path in folder.iterdir() if path.suffix in (".lock", ".journal")] == [], "files are left")
    return Surroundings(check, before=STORE + types(examples["dashboard"]))


@example("copies")
def copies(examples):
    before = "".join(f'let {name}URL = URL(filePath: "{name}.json")\n' for name in ("base", "ours", "theirs"))

    def check(folder, said):
        expect([(post["blogName"], post["body"]) for post in posts(folder, "ours.json")] == [("mine", "A run")],
               posts(folder, "ours.json"))
        expect("conflict" not in said and said == "", said)
    files = {"base.json": DASHBOARD % ("b", "A walk"), "ours.json": DASHBOARD % ("mine", "A walk"),
             "theirs.json": DASHBOARD % ("b", "A run")}
    return Surroundings(check, before=before + types(examples["dashboard"]), files=files)
