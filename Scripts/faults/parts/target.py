"""An odd target, and its allowed results."""

import os

from .bench import require_tool
from .judge import ended_well, file_is_one_of, names_file

NOBODY = 65534
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")


def unprivileged():
    """Root may do everything, so another user tries."""
    if os.geteuid() != 0:
        return ()
    require_tool("setpriv")
    return AS_NOBODY


class Target:
    """One odd target: a folder for it, and its allowed results."""

    def __init__(self, bench, tally, writer, case):
        self.bench, self.tally, self.writer, self.case = bench, tally, writer, case
        self.ledger = bench.ledger()
        self.folder = bench.new_folder("odd")
        self.path = os.path.join(self.folder, "store.json")

    def seed(self, path=None):
        """A store at revision 0."""
        with self.bench.driver(path or self.path) as driver:
            driver.start("open", "change", "flush", "close")
            driver.end()

    def steps(self, path=None, lines=("open", "change", "flush", "close"), **options):
        """The answers until one is an error."""
        answers = []
        with self.bench.driver(path or self.path, writer=self.writer, **options) as driver:
            driver.start()
            for line in lines:
                answers.append(driver.ask(line) or "ENDED")
                if answers[-1].startswith(("FAIL", "ENDED")):
                    break
            ended_well(self.tally, driver.end(), self.case)
        return answers

    def is_refused(self, path=None, name="store.json", **options):
        """Nothing may be acknowledged, and there must be an error with the name in it."""
        answers = self.steps(path, **options)
        if not answers[-1].startswith("FAIL"):
            self.tally.violation("silent", f"{self.case}: accepted: {answers}")
        elif name:
            names_file(self.tally, answers[-1], name, self.case)
        return answers

    def works(self, revision, path=None, file=None, **options):
        """The save must succeed, and the file must have the revision."""
        answers = self.steps(path, **options)
        if answers[-1] != "CLOSED":
            self.tally.violation("other", f"{self.case}: {answers}")
        self.holds(revision, file or path)

    def holds(self, revision, path=None):
        file_is_one_of(self.tally, self.ledger, path or self.path, [revision], self.case)

    def expect(self, condition, text, kind="silent"):
        if not condition:
            self.tally.violation(kind, f"{self.case}: {text}")


def deep_path(target, length):
    """A path of this number of bytes, in an existing directory."""
    path = target.folder
    while length - len(path) > 420:
        path = os.path.join(path, "d" * 200)
    path = os.path.join(path, "e" * (length - len(path) - 102))
    os.makedirs(path)
    return os.path.join(path, "s" * 95 + ".json")
