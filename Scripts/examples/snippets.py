"""The examples of documentation comments, as one program: each in a file of its own, with its surroundings.

A file of Scripts/examples/snippets has sections. The heading of a section is `// MARK: ` and the name of a symbol. The
code before the line `// EXAMPLE` is run before the example, the code after it afterwards. It says with `expect` what the
example has done. The module `Surroundings` beside them has what many of them use.
"""

import re
from dataclasses import dataclass

from .pages import ROOT, Failure

FOLDER = ROOT / "Scripts/examples/snippets"
DECLARATION = re.compile(
    r"(?:@\w+ )*(?:final |indirect )*(?:struct|enum|class|extension|protocol|actor|typealias)\b")
# A line of a statement that began above.
CONTINUES = re.compile(r"\s|[)}\]]|(case|default)\b")


@dataclass
class Section:
    """The surroundings of the examples of one symbol."""
    place: str
    line: int
    before: str
    after: str


def sections():
    """The sections of all files, by the name of the symbol."""
    found = {}
    for path in sorted(FOLDER.glob("*.swift")):
        text = path.read_text()
        parts = re.split(r"^// MARK: (.*)\n", text, flags=re.M)
        line = parts[0].count("\n") + 1
        for name, body in zip(parts[1::2], parts[2::2]):
            before, *after = re.split(r"^ *// EXAMPLE\n", body, flags=re.M)
            if len(after) != 1 or "expect(" not in after[0]:
                raise Failure(f"{path.name}: the section {name} has no // EXAMPLE, or expects nothing after it")
            if name in found:
                raise Failure(f"{path.name}: more than one section {name}")
            found[name] = Section(path.name, line + 1, before, after[0])
            line += body.count("\n") + 1
    return found


def chunks(text, place, line):
    """The declarations and the statements of some code, each with the place where it stands."""
    declarations, statements, chunk = [], [], []

    def end():
        code = "\n".join(chunk).rstrip()
        if not code:
            return
        first = line + number - len(chunk)
        located = f'#sourceLocation(file: "{place}", line: {first})\n'
        # A test or a program is called by the surroundings.
        code = re.sub(r"^@(main|Test) ", "", code)
        if not DECLARATION.match(code):
            statements.append(f"{located}{code}\n")
        else:
            visibility = "" if code.startswith("extension") else "fileprivate "
            declarations.append(f"{located}{visibility}{code}\n")

    number = 0
    for number, text_line in enumerate(text.split("\n")):
        begins = text_line and not CONTINUES.match(text_line)
        if begins and chunk and not chunk[-1].startswith("@"):
            end()
            chunk = []
        chunk.append(text_line)
    number += 1
    end()
    return declarations, statements


IMPORTS = "".join(f"import {module}\n" for module in (
    "Foundation", "SnapshotCommands", "SnapshotFolders", "SnapshotNotebook", "SnapshotStore", "SnapshotStoreTesting",
    "Surroundings"))


def program(name, text, section, number):
    """The file of one example: its function is `example` and its number."""
    parts = [chunks(section.before, section.place, section.line), chunks(text, name, 1)]
    after = section.line + section.before.count("\n") + 1
    parts.append(chunks(section.after, section.place, after))
    declarations = "".join(code for some, _ in parts for code in some)
    statements = "".join(code for _, some in parts for code in some)
    return (
        f"{IMPORTS}\n{declarations}\n@MainActor func example{number}(_ folder: URL) async throws {{\n"
        f'let url = folder.appending(path: "store.json")\n_ = url\ndo {{\n{statements}}}\n}}\n')


def main_program(names):
    """The file that runs all examples, one after the other."""
    calls = "".join(f'await Example.run("{name}") {{ try await example{number}($0) }}\n' for number, name in enumerate(names))
    return f"import Foundation\nimport Surroundings\n\n{calls}Example.end()\n"
