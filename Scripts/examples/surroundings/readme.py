"""The examples of README.md."""

from . import STORE, content, example, posts
from ..pages import expect
from ..programs import Surroundings


@example("value")
def value(_):
    def check(folder, said):
        file = content(folder, "preferences.json")
        expect(said == "15\n" and file["fontSize"] == 15, file)
    return Surroundings(check, twice=True)


@example("dashboard")
def dashboard(_):
    def check(folder, _):
        expect(posts(folder) == [{"id": "1", "blogName": "Flâneur", "body": "A walk by the river", "tags": ["paris"]}],
               posts(folder))
    return Surroundings(check, before=STORE, twice=True)
