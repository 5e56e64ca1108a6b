"""The shared means of all parts: the programs, a folder, mounts that end with it, and seeds."""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import tempfile

from .content import Ledger
from .driver import Driver
from .tally import Skipped


class Bench:
    def __init__(self, programs, long, seed):
        self.long = long
        self.seed = seed
        self.fuzz_seconds = 8
        # A program of another user must reach it: links to the programs would lead into folders that may be closed.
        self.folder = tempfile.mkdtemp(prefix="snapshot-torture.")
        os.chmod(self.folder, 0o755)
        self.program = self._copy(programs / "fault-driver")
        self.ender = self._copy(programs / "ending-driver")
        self.sharer = self._copy(programs / "sharing-driver")
        self.cli = self._copy(programs / "snapshot-cli")
        # The processes that run beside the parts, by the part that waits for the end of each.
        self.beside = {}
        self._mounts = []
        self._ledgers = {}
        self._count = 0

    def _copy(self, program):
        copy = os.path.join(self.folder, program.name)
        shutil.copy(program, copy)
        # Symbols are most of the file, and a thousand starts read it a thousand times.
        if shutil.which("strip"):
            subprocess.run(["strip", copy], check=True)
        return copy

    def count(self, long, short):
        return long if self.long else short

    def random(self, *names):
        return random.Random(f"{self.seed} {names}")

    def new_folder(self, name="folder"):
        self._count += 1
        path = os.path.join(self.folder, f"{name}-{self._count}")
        os.mkdir(path)
        return path

    def driver(self, path, **options):
        return Driver(self.program, path, **options)

    def ledger(self, notes=100, padding=500):
        """The bytes of stores of this size."""
        if (notes, padding) not in self._ledgers:
            path = os.path.join(self.new_folder("ledger"), "ledger.json")
            with self.driver(path, notes=notes, padding=padding) as driver:
                driver.start("open")
                empty = read(path)
                driver.ask("change"), driver.ask("flush"), driver.ask("close")
                driver.end()
            self._ledgers[notes, padding] = Ledger(empty, read(path))
        return self._ledgers[notes, padding]

    def start_beside(self, name, command, environment):
        # A group of its own, so that its own processes end with it.
        self.beside[name] = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True)

    # Mounts

    @contextlib.contextmanager
    def mounted(self, *arguments, name="mount"):
        """A file system for the duration of the block."""
        require_root("mounting")
        folder = self.new_folder(name)
        self.mount(folder, *arguments)
        try:
            yield folder
        finally:
            self.unmount(folder)

    def mount(self, folder, *arguments):
        run("mount", *arguments, folder, skips="mounting")
        self._mounts.append(folder)

    def unmount(self, folder):
        if folder in self._mounts:
            run("umount", folder)
            self._mounts.remove(folder)

    def image(self, file_system, megabytes, folder=None, options=()):
        """An empty file system in a file."""
        require_root("making file systems")
        require_tool(f"mkfs.{file_system}")
        self._count += 1
        path = os.path.join(folder or self.folder, f"{file_system}-{self._count}.img")
        with open(path, "wb") as image:
            image.truncate(megabytes << 20)
        run(f"mkfs.{file_system}", "-q", *options, path, skips="making a file system")
        return path

    def close(self):
        for process in self.beside.values():
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        for folder in reversed(self._mounts):
            subprocess.run(["umount", "-l", folder], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def run(*command, skips=None):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        # The first line has the reason. Names of temporary folders would make two reports differ.
        said = result.stderr.strip().splitlines() or [f"ended with {result.returncode}"]
        text = f"{command[0]}: {said[0].rsplit(': ', 1)[-1]}"
        raise Skipped(f"{skips} does not work here ({text})") if skips else RuntimeError(text)
    return result.stdout


def require_root(what):
    if os.geteuid() != 0:
        raise Skipped(f"{what} takes root")


def require_tool(name):
    path = shutil.which(name)
    if not path:
        raise Skipped(f"{name} is not installed")
    return path
