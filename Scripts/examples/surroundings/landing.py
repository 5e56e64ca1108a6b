"""The landing page of the kernel, and the pages on tools."""

import json

from . import LINE, STORE, example, posts
from ..pages import expect, types
from ..programs import Surroundings


@example("SnapshotStore-1")
def guide(_):
    def check(folder, _):
        expect(posts(folder) == [{"id": "1", "body": "A walk"}], posts(folder))
    return Surroundings(check, before=STORE)


FILES = {"store.json": '{"snapshot":{"schema":"dashboard","version":1},"posts":[\n%s]}' % (LINE % "1")}


@example("tool")
@example("tool-first")
def tool(examples):
    def check(_, said):
        expect(said == "store.json: ok, posts 1, no checksum\n", said)
    return Surroundings(check, before=types(examples["dashboard"]), files=FILES, arguments=["check", "store.json"])


@example("tool-own")
def tool_own(examples):
    def check(folder, said):
        expect(said == "tagged 1\n" and posts(folder)[0]["tags"] == ["new"], posts(folder))
    arguments = ["tag", "store.json", "b", "new"]
    return Surroundings(check, before=types(examples["dashboard"]), files=FILES, arguments=arguments)
