"""Power cuts at every write of a file system: what it tells its disk is written down, and cut off anywhere.

The power cuts of a file system that is stopped leave all that it has issued. Here a disk loses what was not flushed, too.
"""

import bisect
import os
import time

from . import short_writes
from .bench import require_root
from .content import Torn
from .driver import acknowledged
from .journals import LIMIT, SIZE, flawed
from .logged_disk import LoggedDisk, states, write_sparse
from .sharing import FOLDED_OFTEN, Party, stored
from .tally import Skipped

NAME = "power cut, any write"
# For each file system its program, what that is told, the size in MB, and how it is mounted.
SYSTEMS = {
    "ext4": ("ext4", [], 32, "noauto_da_alloc"),
    "ext4 with fast commits": ("ext4", ["-O", "fast_commit"], 32, "noauto_da_alloc"),
    "xfs": ("xfs", [], 320, "defaults"),
    "btrfs": ("btrfs", [], 128, "defaults"),
}
PROCESSES = 3


class Promises:
    """What was acknowledged until when."""

    def __init__(self):
        self.times, self.values = [], []

    def add(self, value, at=None):
        self.times.append(time.monotonic() if at is None else at)
        self.values.append(value)

    def at(self, moment):
        """The last one before this moment; None if there was none."""
        position = bisect.bisect(self.times, moment)
        return self.values[position - 1] if position else None


def save(bench, path, writer, seconds, seed, **options):
    """One store saves as fast as it can. Returns what it has promised."""
    promises = Promises()
    with bench.driver(path, writer=writer, **options) as driver:
        _, opened = driver.start("open")
        promises.add(int(opened.split()[1]))
        driver.send(f"loop 1000000 4000 {seed}")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            promises.add(max(promises.values[-1], acknowledged(driver.lines_so_far())))
            time.sleep(0.001)
        driver.kill()
    return promises


def save_shared(bench, tally, folder, seconds, **options):
    """Several processes save one file."""
    promises = Promises()
    with Party(bench, tally, NAME, folder, FOLDED_OFTEN["a journal"], **options) as party:
        members = [party.join(f"p{number}") for number in range(PROCESSES)]
        for member in members:
            member.program.send(f"write {member.number + 1} 100000 2000")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for member in members:
                member.note_rest()
            promises.add({member.name: member.number for member in members if member.number >= 0})
            time.sleep(0.001)
        for member in members:
            member.kill_unheard()
    return promises


def judge(tally, ledger, path, promised, name):
    """A store must be at its revision, if it has promised one."""
    try:
        found = ledger.revision_of_file(path)
    except Torn as torn:
        return tally.violation("torn", f"{name}: {torn}")
    if promised is not None and (found is None or found < promised):
        tally.violation("lost", f"{name}: revision {promised} was acknowledged, the file is at {found}")


def judge_shared(tally, path, promised, name):
    """The file must have the last number of each process."""
    try:
        found = stored(path) if os.path.exists(path) else {}
    except Torn as torn:
        return tally.violation("torn", f"{name}: {torn}")
    for member, number in (promised or {}).items():
        if found.get(member, -1) < number:
            tally.violation("lost", f"{name}: {number} of {member} was acknowledged, {found.get(member)} is there")


def check(bench, tally, system, count, seconds, writer="ours", size={}, is_shared=False, until_caught=False, **options):
    require_root("mounting")
    program, arguments, megabytes, how = SYSTEMS[system]
    random = bench.random(NAME, system, writer, is_shared)
    image = bench.image(program, megabytes, options=arguments)
    disk = LoggedDisk(bench, image)
    try:
        with bench.mounted("-o", how, disk.device) as folder:
            path = os.path.join(folder, "marks.json" if is_shared else "store.json")
            if is_shared:
                promises = save_shared(bench, tally, folder, seconds, **options)
            else:
                promises = save(bench, path, writer, seconds, random.randrange(1 << 32), **size, **options)
    finally:
        disk.end()
    copy = f"{image}.copy"
    for content, moment in states(image, disk.log, count, random):
        if until_caught and tally.caught_by:
            break
        tally.cases += 1
        write_sparse(content, copy)
        with bench.mounted("-o", f"loop,{how}", copy) as folder:
            found = os.path.join(folder, os.path.basename(path))
            name = f"{system}, cut {tally.cases}, {moment - promises.times[0]:.4f} s after opening"
            if is_shared:
                judge_shared(tally, found, promises.at(moment), name)
            else:
                judge(tally, bench.ledger(**size), found, promises.at(moment), name)
    for file in (image, disk.log, copy):
        os.remove(file)


def run(bench, tally):
    # In the short form one file system.
    for system in bench.count([*SYSTEMS], ["ext4"]):
        for options in ({}, {"size": SIZE, "journal": LIMIT}, {"is_shared": True}):
            try:
                check(bench, tally, system, bench.count(300, 12), bench.count(2, 0.2), **options)
            except Skipped as skipped:
                tally.skip(f"{system}: {skipped}")


def catch(bench, tally, writer):
    options = {"until_caught": True}
    if writer.startswith("sharing-"):
        library = short_writes.library(bench, "sharing-flaws")
        options |= {"is_shared": True, "environment": {
            "LD_PRELOAD": library, "FAULT_SHARING": writer.removeprefix("sharing-")}}
    elif writer.startswith("journal-"):
        options |= flawed(bench, writer) | options
    else:
        options["writer"] = writer
    check(bench, tally, "ext4", bench.count(200, 60), 0.3, **options)
