"""The surroundings of each example, by its name. A file has those of a few pages."""

import importlib
import json
from pathlib import Path

STORE = 'let url = URL(filePath: "store.json")\n'
OPEN = STORE + "let store = try Store<Dashboard>.open(at: url)\n"
POST = 'Post(id: "1", blogName: "b", body: "A walk", tags: ["paris"])'
LINE = '{"id":"%s","blogName":"b","body":"A walk","tags":[]}\n'

# A function for each example. It gets the text of all examples, and returns its Surroundings.
PROGRAMS = {}


def example(name):
    def register(function):
        assert name not in PROGRAMS, name
        PROGRAMS[name] = function
        return function
    return register


def content(folder, name="store.json"):
    """The file of a store, as Python reads it."""
    return json.loads((folder / name).read_text())


def posts(folder, name="store.json"):
    return content(folder, name)["posts"]


for module in sorted(Path(__file__).parent.glob("[a-z]*.py")):
    importlib.import_module(f"{__name__}.{module.stem}")
