"""A driver under strace, from the beginning of a phase of its work."""

import os
import shutil
import subprocess
import time
from typing import NamedTuple

from .tally import Skipped

ATTACH_LIMIT = 10


class Phase(NamedTuple):
    before: list  # what is done before strace is attached
    line: str  # what is done under it
    old: int | None  # the revision of the file before that; None is no file
    new: int  # and after it
    has_stale: bool = False  # whether a process that was killed has left a temporary behind


PHASES = {
    "making": Phase([], "open", None, -1),
    "opening": Phase([], "open", 0, 0),
    "first save": Phase(["open", "change"], "flush", 0, 1),
    "first save after a kill": Phase(["open", "change"], "flush", 0, 1, has_stale=True),
    "later save": Phase(["open", "change", "flush", "change"], "flush", 1, 2),
    "closing": Phase(["open", "change", "flush"], "close", 1, 1),
}
# As TemporaryName makes it for the number 7: the last seven digits are a check.
STALE = ".store.json.0000000000007x5g1o21.tmp"


class Traced:
    """A driver under strace, from the beginning of a phase."""

    def __init__(self, bench, writer, phase, folder, *options):
        self.path = os.path.join(folder, "store.json")
        self.log = os.path.join(folder, "log")
        self.phase = PHASES[phase]
        if self.phase.old is not None:
            shutil.copy(seed_file(bench), self.path)
        if self.phase.has_stale:
            shutil.copy(seed_file(bench), os.path.join(folder, STALE))
        self.driver = bench.driver(self.path, writer=writer)
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


def seed_file(bench):
    """A store at revision 0."""
    if bench not in _seed_files:
        path = os.path.join(bench.new_folder("seed"), "store.json")
        with bench.driver(path) as driver:
            driver.start("open", "change", "flush", "close")
            driver.end()
        _seed_files[bench] = path
    return _seed_files[bench]
