"""The examples of README.md."""

from . import STORE, example, posts
from ..pages import expect
from ..programs import Surroundings


@example("dashboard")
def dashboard(_):
    def check(folder, _):
        expect(posts(folder) == [{"id": "1", "blogName": "Flâneur", "body": "A walk by the river", "tags": ["paris"]}],
               posts(folder))
    return Surroundings(check, before=STORE)
