"""A driver under strace, from the beginning of a phase of its work."""

import os
import shutil
import subprocess
import time
from typing import NamedTuple

from .journal import journal_of
from .tally import Skipped

ATTACH_LIMIT = 10


class Phase(NamedTuple):
    before: list  # what is done before strace is attached
    line: str  # what is done under it
    old: int | None  # the revision of the file before that; None is no file
    new: int  # and after it
    has_stale: bool = False  # whether a process that was killed has left a temporary behind
    journal: int | None = None  # the bytes up to which a journal may grow
    has_journal: bool = False  # whether a process that was killed has left a journal behind, with revision 1
    then: str | None = None  # what is done after a failure, instead of the same again


PHASES = {
    "making": Phase([], "open", None, -1),
    "opening": Phase([], "open", 0, 0),
    "first save": Phase(["open", "change"], "flush", 0, 1),
    "first save after a kill": Phase(["open", "change"], "flush", 0, 1, has_stale=True),
    "later save": Phase(["open", "change", "flush", "change"], "flush", 1, 2),
    "closing": Phase(["open", "change", "flush"], "close", 1, 1),
}
# The header of a journal and one line have about 1,200 bytes, each further line 1,050.
JOURNAL_PHASES = {
    "new journal": Phase(["open", "change"], "flush", 0, 1, journal=100_000),
    "new journal, then closing": Phase(["open", "change"], "flush", 0, 1, journal=100_000, then="close"),
    "append": Phase(["open", "change", "flush", "change"], "flush", 1, 2, journal=100_000),
    "append, then closing": Phase(["open", "change", "flush", "change"], "flush", 1, 2, journal=100_000, then="close"),
    "fold by size": Phase(["open", "change", "flush", "change"], "flush", 1, 2, journal=1_600),
    "fold on request": Phase(["open", "change", "flush"], "fold", 1, 1, journal=100_000),
    "closing with a journal": Phase(["open", "change", "flush", "change"], "close", 1, 2, journal=100_000),
    "opening a journal": Phase([], "open", 1, 1, journal=100_000, has_journal=True),
    "first save with a journal": Phase(["open", "change"], "flush", 1, 2, journal=100_000, has_journal=True),
}
# As TemporaryName makes it for the number 7: the last seven digits are a check.
STALE = ".store.json.0000000000007x5g1o21.tmp"


class Traced:
    """A driver under strace, from the beginning of a phase."""

    def __init__(self, bench, writer, phase, folder, *options):
        self.path = os.path.join(folder, "store.json")
        self.log = os.path.join(folder, "log")
        self.phase = (PHASES | JOURNAL_PHASES)[phase]
        if self.phase.old is not None:
            seed = seed_file(bench, self.phase.has_journal)
            shutil.copy(seed, self.path)
            if self.phase.has_journal:
                shutil.copy(journal_of(seed), journal_of(self.path))
        if self.phase.has_stale:
            shutil.copy(seed_file(bench), os.path.join(folder, STALE))
        self.driver = bench.driver(self.path, writer=writer, journal=self.phase.journal)
        answers = self.driver.start(*self.phase.before)
        if any(answer is None or answer.startswith("FAIL") for answer in answers):
            raise RuntimeError(f"{phase}: {answers}")
        self.strace = subprocess.Popen(
            ["strace", "-f", "-q", "-p", str(self.driver.pid), "-o", self.log, *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self._wait_until_attached()

    def _wait_until_attached(self):
        end = time.monotonic() + ATTACH_LIMIT
        folder = f"/proc/{self.driver.pid}/task"
        while time.monotonic() < end:
            if self.strace.poll() is not None:
                raise Skipped(f"strace cannot attach ({self.strace.stderr.read().decode().strip()[:80]})")
            if all(self._is_traced(f"{folder}/{task}/status") for task in os.listdir(folder)):
                return
            time.sleep(0.001)
        raise Skipped("strace does not attach in time")

    @staticmethod
    def _is_traced(status):
        try:
            with open(status) as file:
                return "TracerPid:\t0\n" not in file.read()
        except FileNotFoundError:
            return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.__exit__()
        try:
            self.strace.wait(5)
        except subprocess.TimeoutExpired:
            self.strace.kill()
            self.strace.wait()
        self.strace.stderr.close()


_seed_files = {}


def seed_file(bench, has_journal=False):
    """A store at revision 0, and if asked a journal with revision 1."""
    if (bench, has_journal) not in _seed_files:
        path = os.path.join(bench.new_folder("seed"), "store.json")
        with bench.driver(path) as driver:
            driver.start("open", "change", "flush", "close")
            driver.end()
        if has_journal:
            with bench.driver(path, journal=100_000) as driver:
                driver.start("open", "change", "flush")
                driver.kill()
        _seed_files[bench, has_journal] = path
    return _seed_files[bench, has_journal]
