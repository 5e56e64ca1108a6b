"""Compiles an example as a program, runs it to its end, and lets its surroundings judge the result."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from .pages import ROOT, Failure, expect

TIME_LIMIT = 200
MODULES = ("SnapshotStore", "SnapshotFolders", "SnapshotNotebook", "SnapshotCommands", "SnapshotStoreTesting")
IMPORTS = "import Foundation\nimport SnapshotCommands\nimport SnapshotNotebook\nimport SnapshotStore\n"


@dataclass
class Surroundings:
    """The code before and after an example, its initial files and arguments, and the check of what it leaves.

    `check` gets the folder in which the program ran and what it printed. It raises a Failure, or returns. A program
    that a reader may well start twice is started twice, and must not fail.
    """
    check: Callable
    before: str = ""
    after: str = ""
    files: dict = field(default_factory=dict)
    arguments: list = field(default_factory=list)
    twice: bool = False


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        raise Failure(f"{Path(command[0]).name} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result


def build(folder):
    """The library, the notebook and the test kit as one library that the examples are linked with."""
    made = Path(run(ROOT / "Scripts/debug-build").stdout.strip())
    # By the names of the sources, since objects of a removed source may still exist.
    objects = [made / f"{module}.build" / f"{source.name}.o"
               for module in (*MODULES, "SnapshotSystem") for source in (ROOT / "Sources" / module).rglob("*.swift")
               # The steps of a tutorial are no sources.
               if ".docc" not in str(source)]
    run("swiftc", "-emit-library", "-o", folder / "libSnapshotStore.so", *objects)
    return made / "Modules"


def linking(folder, modules):
    """The options of the compiler for a program that uses the library which `build` has made."""
    return ["-I", modules, "-L", folder, "-lSnapshotStore", "-Xlinker", "-rpath", "-Xlinker", folder]


def check_program(name, text, surroundings, folder, modules):
    home = folder / name
    (home / "work").mkdir(parents=True)
    file, options = ("Tool.swift", ["-parse-as-library"]) if "@main" in text else ("main.swift", [])
    # Outside a test there is no #expect: the surroundings have a function of that name.
    program = f"{IMPORTS}{surroundings.before}{text}\n{surroundings.after}".replace("#expect(try ", "try expect(")
    (home / file).write_text(program)
    run("swiftc", "-swift-version", "6", *linking(folder, modules), "-o", home / "program", *options, home / file)
    for file, content in surroundings.files.items():
        (home / "work" / file).parent.mkdir(parents=True, exist_ok=True)
        (home / "work" / file).write_text(content)
    result = run(home / "program", *surroundings.arguments, cwd=home / "work", timeout=TIME_LIMIT)
    surroundings.check(home / "work", result.stdout)
    if surroundings.twice:
        run(home / "program", *surroundings.arguments, cwd=home / "work", timeout=TIME_LIMIT)
    left = [path.name for path in (home / "work").iterdir() if path.name.endswith((".lock", ".tmp"))]
    expect(not left, f"it left {', '.join(left)}")
    expect("let go" not in result.stderr, result.stderr)
