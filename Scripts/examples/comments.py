"""The examples of documentation comments.

All of them are compiled as one program, which runs one after the other in folders of their own. The surroundings of an
example are in Scripts/examples/snippets, in the section with the name of its symbol. They also say what the example has
done in the end. An example that a page has word for word is run with that page.
"""

import subprocess

from .pages import Failure, all_examples
from .programs import linking, run
from .snippets import FOLDER, main_program, program, sections
from .symbols import load


def examples():
    """The examples, by the names of their symbols, and their surroundings."""
    pages = all_examples().values()
    texts = {}
    for symbol in load().values():
        for text in symbol.examples:
            if not any(text in page for page in pages):
                texts[symbol.name] = texts.get(symbol.name, "") + text
    surroundings = sections()
    unknown = {*texts} ^ {*surroundings}
    if unknown:
        raise Failure("not both in a comment and in Scripts/examples/snippets:\n" + "\n".join(sorted(unknown)))
    return texts, surroundings


def check(names, folder, modules):
    texts, surroundings = examples()
    names = names or sorted(texts)
    options = ["-swift-version", "6", "-Onone", "-package-name", "snippets", "-I", folder, *linking(folder, modules)]
    shared = ["-module-name", "Surroundings", "-emit-library", "-emit-module", "-o", folder / "libSurroundings.so"]
    run("swiftc", *options, "-emit-module-path", folder / "Surroundings.swiftmodule", *shared,
        *sorted((FOLDER / "Surroundings").glob("*.swift")))
    for number, name in enumerate(names):
        (folder / f"example{number}.swift").write_text(program(name, texts[name], surroundings[name], number))
    (folder / "main.swift").write_text(main_program(names))
    run("swiftc", *options, "-wmo", "-suppress-warnings", "-lSurroundings", "-o", folder / "examples",
        *sorted(folder.glob("*.swift")))
    if subprocess.run([folder / "examples"], cwd=folder, input=b"A walk\n").returncode != 0:
        raise Failure("an example did something else")
    return f"{len(names)} examples of comments"
