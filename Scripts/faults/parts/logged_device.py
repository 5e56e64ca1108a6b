"""Power cuts at every write of a file system: what it tells its disk is written down, and cut off anywhere.

The power cuts of a file system that is stopped leave all that it has issued. Here a disk loses what was not flushed, too.
"""

import os
import time
from types import SimpleNamespace as Part

from . import short_writes
from .bench import require_root
from .content import Torn
from .journals import LIMIT, SIZE, flawed
from .logged_disk import LoggedDisk, states, write_sparse
from .member import KEPT
from .sharing import FOLDED_OFTEN, Party, stored
from .tally import Skipped

NAME = "power cut, any write"
# For each file system its program, what that is told, the size in MB, and how it is mounted.
SYSTEMS = {
    "ext4": ("ext4", [], 32, "loop,noauto_da_alloc"),
    "ext4 with fast commits": ("ext4", ["-O", "fast_commit"], 32, "loop,noauto_da_alloc"),
    "xfs": ("xfs", [], 320, "loop"),
    "btrfs": ("btrfs", [], 128, "loop"),
}
PROCESSES = 3


class Promises:
    """What was acknowledged when, by the name of each writer."""

    def __init__(self, names):
        self.names, self.events = names, []

    def note(self, name, line):
        if line.startswith("ACK "):
            _, number, at = line.split()
            self.events.append((float(at), name, int(number)))

    def at(self, moment):
        """The last number of each writer before this moment."""
        return {name: number for at, name, number in sorted(self.events) if at < moment}

    @property
    def silent(self):
        """The writers that have promised nothing. A check of them would be none."""
        return {*self.names} - {name for _, name, _ in self.events}


class Alone:
    """One store saves as fast as it can."""

    def __init__(self, bench, tally, folder, writer="ours", size={}, **options):
        self.bench, self.path = bench, os.path.join(folder, "store.json")
        self.ledger = bench.ledger(**size)
        self.options = {"writer": writer, **size, **options}

    def save(self, seconds, seed):
        promises = Promises(["store"])
        with self.bench.driver(self.path, **self.options) as driver:
            driver.start("open")
            driver.send(f"loop 1000000 4000 {seed}")
            time.sleep(seconds)
            for line in driver.lines_so_far():
                promises.note("store", line)
            driver.kill()
        return promises

    def lost(self, path, promised):
        found = self.ledger.revision_of_file(path)
        number = promised.get("store", -2)
        if number > (-2 if found is None else found):
            yield f"revision {number} was acknowledged, the file is at {found}"


class Shared:
    """Several processes save one file."""

    def __init__(self, bench, tally, folder, **options):
        self.path = os.path.join(folder, "marks.json")
        self.party = Party(bench, tally, NAME, folder, FOLDED_OFTEN["a journal"], **options)

    def save(self, seconds, seed):
        with self.party as party:
            members = [party.join(f"p{number}") for number in range(PROCESSES)]
            promises = Promises([member.name for member in members])
            for member in members:
                member.program.send(f"write {member.number + 1} 100000 2000")
            time.sleep(seconds)
            for member in members:
                for line in member.program.lines_so_far():
                    promises.note(member.name, line)
                member.kill_unheard()
        return promises

    def lost(self, path, promised):
        found = stored(path) if os.path.exists(path) else {}
        for name, number in promised.items():
            last = found.get(name, -1)
            if last < number:
                yield f"{number} of {name} was acknowledged, {last} is there"
            for kept in range(max(0, last + 1 - KEPT), last + 1):
                if f"{name}-{kept}" not in found:
                    yield f"{name} is at {last}, and {name}-{kept} is not there"


def check(bench, tally, kind, system, count, seconds, until_caught=False, **options):
    require_root("mounting")
    maker, arguments, megabytes, how = SYSTEMS[system]
    random = bench.random(tally.name, system)
    image = bench.image(maker, megabytes, options=arguments)
    disk = LoggedDisk(bench, image)
    try:
        with bench.mounted("-o", how, disk.path) as folder:
            writers = kind(bench, tally, folder, **options)
            promises = writers.save(seconds, random.randrange(1 << 32))
    finally:
        disk.end()
    if promises.silent:
        tally.violation("other", f"{system}: nothing was acknowledged by {sorted(promises.silent)}")
    # Only what a cut has lost proves something.
    before, copy = tally.counts.total(), f"{image}.copy"
    for content, moment in states(image, disk.log, count, random):
        if until_caught and tally.counts.total() > before:
            break
        tally.cases += 1
        name = f"{system}, cut {tally.cases}"
        write_sparse(content, copy)
        try:
            with bench.mounted("-o", how, copy) as folder:
                found = os.path.join(folder, os.path.basename(writers.path))
                for loss in writers.lost(found, promises.at(moment)):
                    tally.violation("lost", f"{name}: {loss}")
        except (Torn, Skipped, OSError) as error:
            tally.violation("torn", f"{name}: {error}")
    for file in (image, disk.log, copy):
        os.remove(file)


def part(name, kind, **options):
    def run(bench, tally):
        # In the short form one file system.
        for system in bench.count([*SYSTEMS], ["ext4"]):
            before = tally.cases
            try:
                check(bench, tally, kind, system, bench.count(300, 40), bench.count(2, 0.3), **options)
                tally.notes.append(f"{tally.cases - before} on {system}")
            except Skipped as skipped:
                tally.skip(f"{system}: {skipped}")

    def catch(bench, tally, writer):
        more = {"writer": writer}
        if kind is Shared:
            library = short_writes.library(bench, "sharing-flaws")
            more = {"environment": {"LD_PRELOAD": library, "FAULT_SHARING": writer.removeprefix("sharing-")}}
        elif "journal" in options:
            more = flawed(bench, writer)
        check(bench, tally, kind, "ext4", bench.count(200, 80), 0.4, **{**more, "until_caught": True})

    return Part(NAME=name, run=run, catch=catch)


ALONE = part(NAME, Alone)
JOURNAL = part(f"{NAME}, journal", Alone, size=SIZE, journal=LIMIT)
SHARED = part(f"{NAME}, shared store", Shared)
