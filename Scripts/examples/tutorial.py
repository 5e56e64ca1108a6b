"""Every step of the tutorial, and the app at the end of each of its pages.

A step shows one file. Together with the files of the steps before it, it has to compile. The first app is run as the
text says. The second gets its commands one by one, and each screen is compared; then another program changes its file.
With --pictures, the pictures of the tutorial are written from these screens. Without it they are compared with them.
"""

import json
import os
import re
import shutil
import subprocess
import threading
import time

from .pages import ROOT, Failure, expect
from .pictures import terminal
from .programs import linking, run

FOLDER = ROOT / "Sources/SnapshotStore/SnapshotStore.docc/Tutorials"
CLEAR = "\x1b[2J\x1b[H"
PATIENCE = 60

# What is typed, and the screen after it.
SESSION = [
    (None, ["No books. Try: add On Growth and Form"]),
    ("add On Growth and Form", ["  1  On Growth and Form"]),
    ("add The Pencil", ["  1  On Growth and Form", "  2  The Pencil"]),
    ("read 1", ["  2  The Pencil", "✓ 1  On Growth and Form"]),
    ("undo", ["  1  On Growth and Form", "  2  The Pencil"]),
    ("redo", ["  2  The Pencil", "✓ 1  On Growth and Form"]),
]
# The last screen, after an editor has added a third book.
AFTER_EDIT = ["  3  Oak", "  2  The Pencil", "✓ 1  On Growth and Form"]


def pages():
    """The pages in their order, each with the names and files of its steps."""
    contents = (FOLDER / "Tutorials.tutorial").read_text()
    for name in re.findall(r'@TutorialReference\(tutorial: "doc:(\w+)"\)', contents):
        text = (FOLDER / f"{name}.tutorial").read_text()
        yield name, re.findall(r'@Code\(name: "([^"]+)", file: ([^),]+)\)', text)


def check_manifest(manifest, folder):
    """SwiftPM reads the manifest, and this package has the product that it names."""
    home = folder / "manifest"
    home.mkdir()
    shutil.copy(manifest, home / "Package.swift")
    package = json.loads(run("swift", "package", "dump-package", "--package-path", home).stdout)
    ours = json.loads(run("swift", "package", "dump-package", "--package-path", ROOT).stdout)
    used = [use["product"][0] for target in package["targets"] for use in target["dependencies"]]
    expect(used and {*used} <= {product["name"] for product in ours["products"]}, used)


def compile_step(sources, options, output):
    """Type-checks the files of a step, or links them if there is a path for the program."""
    result = ["-o", output] if output else ["-typecheck"]
    library = ["-parse-as-library"] if not any(path.name == "main.swift" for path in sources) else []
    run("swiftc", "-swift-version", "6", "-warnings-as-errors", *options, *library, *result, *sources)


def check_steps(folder, options):
    """Compiles each step with the files before it. The program at the end of each page has the page's name."""
    steps = 0
    home = folder / "steps"
    home.mkdir()
    for page, files in pages():
        for number, (name, file) in enumerate(files):
            steps += 1
            if name == "Package.swift":
                check_manifest(FOLDER / "Code" / file, folder)
                continue
            shutil.copy(FOLDER / "Code" / file, home / name)
            try:
                compile_step(sorted(home.iterdir()), options, folder / page if number + 1 == len(files) else None)
            except Failure as failure:
                raise Failure(f"{page}, step with {file}: {failure}")
    unused = {path.name for path in (FOLDER / "Code").iterdir()} - {file for _, files in pages() for _, file in files}
    expect(not unused, f"no step shows {unused}")
    return steps


def keeping(program, home):
    """The first app, run twice as its page says. Returns what a terminal would show."""
    home.mkdir()
    expect(run(program, "The Pencil", cwd=home).stdout == "1 The Pencil\n", "the first run")
    shown = run(program, "Oak", cwd=home).stdout
    expect(shown == "1 The Pencil\n2 Oak\n", shown)
    lines = (home / "books.json").read_text().splitlines()
    books = [line for line in lines if '"title"' in line]
    expect(len(books) == 2, lines)
    return ['$ swift run reading "The Pencil"', "1 The Pencil", "$ swift run reading Oak", *shown.splitlines(),
            "$ grep title books.json", *books]


class App:
    """The second app while it runs: its input, and the screens that it has shown."""

    def __init__(self, program, home):
        home.mkdir()
        self.process = subprocess.Popen([program], cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.text = ""
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while piece := os.read(self.process.stdout.fileno(), 1 << 16):
            self.text += piece.decode()

    def type(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def wait_for(self, screen):
        """Waits until the app shows a screen. A screen between two others may be missing."""
        end = time.monotonic() + PATIENCE
        wanted = "\n".join(screen) + "\n> "
        while self.text.rpartition(CLEAR)[2] != wanted:
            if time.monotonic() > end:
                raise Failure(f"expected the screen:\n{wanted}\nthe app shows:\n{self.text.rpartition(CLEAR)[2]}")
            time.sleep(0.01)


def following(program, home):
    """The second app, line by line, and a change of its file by an editor. Returns the last screen."""
    app = App(program, home)
    file = home / "books.json"
    try:
        for line, screen in SESSION:
            if line:
                app.type(line)
            app.wait_for(screen)
        edit(file)
        app.wait_for(AFTER_EDIT)
        app.process.stdin.close()
        expect(app.process.wait(PATIENCE) == 0, "the app fails at its end")
    finally:
        app.process.kill()
    books = json.loads(file.read_text())["books"]
    expect([(book["title"], book["isRead"]) for book in books]
           == [("On Growth and Form", True), ("The Pencil", False), ("Oak", False)], books)
    return [*AFTER_EDIT, "> "]


def edit(file):
    """Adds a book as an editor would, once the app has saved the books that it shows."""
    end = time.monotonic() + PATIENCE
    while not file.exists() or '"isRead":true' not in file.read_text():
        if time.monotonic() > end:
            raise Failure("the app does not save")
        time.sleep(0.01)
    content = json.loads(file.read_text())
    content["snapshot"].pop("checksum", None)
    content["books"].append({"id": 3, "title": "Oak", "isRead": False})
    new = file.with_suffix(".new")
    new.write_text(json.dumps(content))
    new.replace(file)


def check_pictures(pictures, writes):
    for name, lines in pictures.items():
        path = FOLDER / "Images" / name
        if writes:
            path.parent.mkdir(exist_ok=True)
            path.write_text(terminal(lines))
        expect(path.read_text() == terminal(lines),
               f"{name} is not what the app shows: Scripts/run-examples tutorial --pictures")


def check(names, folder, modules):
    steps = check_steps(folder, linking(folder, modules))
    check_pictures({
        "kept-list.svg": keeping(folder / "KeepingAList", folder / "keeping"),
        "reading-list.svg": following(folder / "FollowingAList", folder / "following"),
    }, writes="--pictures" in names)
    return f"{steps} steps of the tutorial"
