"""The examples of README.md."""

from . import STORE, content, example, posts
from ..pages import expect
from ..programs import Surroundings


@example("notebook")
def notebook(_):
    def check(folder, _):
        file = content(folder)
        expect([(note["text"], note["archived"]) for note in file["notes"]] == [("Café de Flore", True)], file)
        expect([tag["name"] for tag in file["tags"]] == ["Paris"], file)
    return Surroundings(check, before=STORE)


@example("dashboard")
def dashboard(_):
    def check(folder, _):
        expect(posts(folder) == [{"id": "1", "blogName": "Flâneur", "body": "A walk by the river", "tags": ["paris"]}],
               posts(folder))
    return Surroundings(check, before=STORE)
