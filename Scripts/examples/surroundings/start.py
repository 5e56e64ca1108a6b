"""The articles for the first day: getting started, transactions, and the specification of the formats."""

from . import STORE, content, example
from ..pages import ARTICLES, expect
from ..programs import Surroundings


@example("start")
def start(_):
    def check(folder, said):
        file = (folder / "books.json").read_text()
        expect(f"```json\n{file}```" in (ARTICLES / "GettingStarted.md").read_text(), file)
        expect(said == """["To the Lighthouse", "The Waves"]
Swann's Way
["Swann\\'s Way", "The Waves"]
["The Waves"]
[]
""", said)
    return Surroundings(check, twice=True)


@example("start-app")
def start_app(_):
    def check(folder, said):
        files = sorted(path.name for path in (folder / "support/Books").iterdir() if path.name[0] != ".")
        expect(len(files) == 2 and files[0].startswith("preferences.damaged-"), files)
        expect(said == f"The settings could not be read. They are in {files[0]}.\n", said)
        expect(content(folder, "support/Books/preferences.json")["fontSize"] == 15, files)
    return Surroundings(
        check, before='let support = URL(filePath: "support")\n', twice=True,
        files={"support/Books/preferences.json": "{"})


@example("transactions")
def transactions(_):
    def check(folder, said):
        expect(said == """refused: [700, 300]
nothing was paid
1000 ada
ada 550 → 560
bo 450 → 440
1 transaction
true
""", said)
        expect([account["cents"] for account in content(folder)["accounts"]] == [560, 440], content(folder))
        expect(content(folder)["refusals"] == 1, content(folder))
    return Surroundings(check, before=STORE)


@example("untyped")
def untyped(_):
    file = '{"snapshot":{"schema":"dashboard","version":1},"posts":[{"id":"1"},{"id":"2"}],"count":17}'

    def check(_, said):
        expect(said == "dashboard 1\nposts 1\nposts 2\ncount an integer\n", said)
    return Surroundings(check, before=STORE, files={"store.json": file})
