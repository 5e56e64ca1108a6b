"""The public symbols of the libraries and their documentation comments, from the symbol graphs of the debug build."""

import json
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .pages import ROOT

TYPES = {"struct", "class", "enum", "protocol", "actor"}


@dataclass
class Symbol:
    """A declaration. `types` has the ids of the types that it names, `comment` the lines of its documentation."""
    id: str
    module: str
    kind: str
    path: tuple
    comment: list
    types: set = field(default_factory=set)

    @property
    def name(self):
        return ".".join(self.path)

    @property
    def word(self):
        """The name without its arguments."""
        return self.path[-1].split("(")[0]

    @property
    def is_type(self):
        return self.kind in TYPES

    @property
    def examples(self):
        """The Swift blocks of the comment."""
        return re.findall(r"^```swift\n(.*?)^```", "\n".join(self.comment or []) + "\n", re.S | re.M)


def read(graph):
    """The symbols of one graph. A block of an extension is none: its members are."""
    for symbol in graph["symbols"]:
        kind = symbol["kind"]["identifier"].removeprefix("swift.")
        if kind == "extension":
            continue
        comment = symbol.get("docComment")
        fragments = symbol.get("declarationFragments", [])
        yield Symbol(
            symbol["identifier"]["precise"], graph["module"]["name"], kind, tuple(symbol["pathComponents"]),
            comment and [line["text"] for line in comment["lines"]],
            {fragment["preciseIdentifier"] for fragment in fragments if "preciseIdentifier" in fragment})


def load():
    """All symbols of the four libraries and of SnapshotFolders, by id."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "Scripts/symbol-graphs", folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        graphs = [json.loads(path.read_text()) for path in sorted(Path(folder).glob("*/*.json"))]
    return {symbol.id: symbol for graph in graphs for symbol in read(graph)}
