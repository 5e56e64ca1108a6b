"""The sessions of README.md and of Docs: each is run in a shell, to its end, and what it prints is compared.

A session is a block of `console`: commands after “$ ”, each with its output. A block of `sh` has commands only. Those of
developers (swift, Scripts) are left out. All blocks of a page run in order, in one folder and one shell, with the
snapshot-cli that `swift build` has built. Ids of notes and the day of the page stand for those of today. Comments before
a block, which no reader sees, say what else it needs:

    <!-- file: NAME -->         the block is the content of this file
    <!-- before: COMMAND -->    runs before it
    <!-- meanwhile: COMMAND --> runs when the last command, which does not end by itself, has printed its first line

A page that uses a program that is not installed is skipped.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .pages import ROOT, Failure

PAGES = ["README.md", *sorted(str(page.relative_to(ROOT)) for page in ROOT.glob("Docs/*.md"))]
TIME_LIMIT = 60
NEEDS = ["jq", "sqlite3", "psql", "git"]
IN_SERVER = "SNAPSHOT_SESSIONS_IN_SERVER"
BLOCK = re.compile(r"((?:<!-- (?:file|before|meanwhile): [^\n]* -->\n)*)^```(\w*)\n(.*?)^```", re.S | re.M)


class Shell:
    """One bash for all sessions of a page."""

    def __init__(self, folder, tools):
        environment = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        environment |= {name: value for name, value in os.environ.items() if name.startswith("PG")}
        self.bash = subprocess.Popen(
            ["bash", "--norc"], cwd=folder, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)

    def run(self, command):
        """What a command prints on both streams."""
        mark = "-- the end of the command --"
        print(f"{command}\necho '{mark}'", file=self.bash.stdin, flush=True)
        signal.alarm(TIME_LIMIT)
        lines = []
        for line in self.bash.stdout:
            # A command may leave its last line without an end.
            if line.endswith(f"{mark}\n"):
                signal.alarm(0)
                return "".join(lines) + line.removesuffix(f"{mark}\n")
            lines.append(line)
        raise Failure(f"the shell ended in: {command}\n{''.join(lines)}")

    def follow(self, command, first, meanwhile, count):
        """The first lines of a command that does not end by itself, until it has printed as many as expected."""
        out = self.run(f"{command} >followed 2>&1 & echo $!").split()[-1]
        lines = lambda: self.run("cat followed").splitlines()
        end = time.monotonic() + TIME_LIMIT
        while first not in lines():
            if time.monotonic() > end:
                raise Failure(f"“{first}” is never printed: {lines()}")
            time.sleep(0.05)
        for other in meanwhile:
            self.run(other)
        while len(lines()) < count and time.monotonic() < end:
            time.sleep(0.05)
        self.run(f"kill {out}; wait {out} 2>/dev/null; true")
        return "".join(f"{line}\n" for line in lines())

    def close(self):
        self.bash.kill()
        self.bash.wait()


def normal(text):
    """A text without what differs from day to day."""
    return re.sub(r"\b20\d\d-\d\d-\d\d\b(?!T)", "DAY", text).rstrip("\n")


def commands(session):
    """The commands of a session and their outputs."""
    parts = re.split(r"^\$ (.*)\n", session, flags=re.M)
    if parts[0]:
        raise Failure(f"a session begins with a command: {parts[0]}")
    return list(zip(parts[1::2], parts[2::2]))


def run_session(shell, session, meanwhile, ids):
    steps = commands(session)
    for number, (command, expected) in enumerate(steps):
        for written, real in ids.items():
            command = command.replace(written, real)
        if meanwhile and number == len(steps) - 1:
            found = shell.follow(command, expected.splitlines()[0], meanwhile, len(expected.splitlines()))
        else:
            found = shell.run(command)
        # The id of a note in the page is that of the note that is made here.
        for written, real in zip(re.findall(r"\b\d{13,16}\b", expected), re.findall(r"\b\d{13,16}\b", found)):
            ids.setdefault(written, real)
        for written, real in ids.items():
            expected = expected.replace(written, real)
        if normal(found) != normal(expected):
            raise Failure(f"$ {command}\nexpected:\n{normal(expected)}\nprinted:\n{normal(found)}")
    return len(steps)


def run_page(page, tools):
    text = (ROOT / page).read_text()
    ids, count = {}, 0
    with tempfile.TemporaryDirectory(prefix="snapshot-sessions.") as name:
        folder = Path(name)
        shell = Shell(folder, tools)
        try:
            for match in BLOCK.finditer(text):
                notes = re.findall(r"<!-- (.*?): (.*) -->", match.group(1))
                language, block = match.group(2), match.group(3)
                values = lambda kind: [value for key, value in notes if key == kind]
                if values("file"):
                    (folder / values("file")[0]).write_text(block)
                if language not in ("console", "sh") or (language == "sh" and re.search(r"^(swift|make) |Scripts/", block, re.M)):
                    continue
                for before in values("before"):
                    shell.run(before)
                if language == "console":
                    count += run_session(shell, block, values("meanwhile"), ids)
                else:
                    # Commands over several lines are one for the shell.
                    found = shell.run(f"( set -e\n{block}\n) || echo failed")
                    if found:
                        raise Failure(f"{block}\nprinted:\n{found}")
                    count += 1
        finally:
            shell.close()
    return count


def check(pages, folder, modules):
    if IN_SERVER not in os.environ and shutil.which("psql"):
        command = [ROOT / "Scripts/with-postgresql", sys.executable, sys.argv[0], "sessions", *pages]
        if subprocess.run(command, env=os.environ | {IN_SERVER: "1"}).returncode != 0:
            raise Failure("the sessions failed")
        return None

    def out_of_time(*_):
        raise Failure(f"a command takes more than {TIME_LIMIT} seconds")

    signal.signal(signal.SIGALRM, out_of_time)
    failed = total = 0
    for page in pages or PAGES:
        text = (ROOT / page).read_text()
        missing = [need for need in NEEDS if not shutil.which(need) and re.search(rf"^.*\b{need} ", text, re.M)]
        if missing:
            print(f"{page}: skipped, because {', '.join(missing)} is not installed")
            continue
        try:
            count = run_page(page, modules.parent)
            total += count
            if count:
                print(f"{page}: {count} commands, ok")
        except (Failure, OSError) as error:
            failed += 1
            print(f"{page}: FAILED: {error}")
    if failed or not total:
        raise Failure(f"{failed} pages failed" if failed else "no page has a session")
    return f"{total} commands of sessions"
