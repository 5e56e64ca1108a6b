"""The landing pages of the kernel and of the commands."""

import json

from . import LINE, STORE, example, posts
from ..pages import expect, types
from ..programs import Surroundings


@example("SnapshotStore-1")
def guide(_):
    def check(folder, _):
        expect(posts(folder) == [{"id": "1", "body": "A walk"}], posts(folder))
    return Surroundings(check, before=STORE)


@example("tool")
def tool(examples):
    def check(folder, said):
        expect(said == "store.json: ok, posts 1, no checksum\n", said)
    file = '{"snapshot":{"schema":"dashboard","version":1},"posts":[\n%s]}' % (LINE % "1")
    return Surroundings(check, before=types(examples["dashboard"]), files={"store.json": file}, arguments=["check", "store.json"])
