"""Real write-back errors: the file system is in a sparse file on a disk that is smaller than it claims."""

import os

from .bench import run as command
from .content import Torn
from .driver import Hang, acknowledged
from .judge import names_file, no_temporaries
from .power_cuts import MOUNT_OPTIONS
from .tally import Skipped

NAME = "write-back error"
SIZE = {"notes": 300, "padding": 3000}
SAVES = 60


def one(bench, tally, writer, case, margin):
    """`margin` is the number of free bytes of the disk below the new file system."""
    ledger = bench.ledger(**SIZE)
    with bench.mounted("-t", "tmpfs", "-o", "size=512m", "none", name="small") as small:
        image = bench.image("ext4", 128, small)
        folder = bench.new_folder("sparse")
        path = os.path.join(folder, "store.json")
        bench.mount(folder, "-o", MOUNT_OPTIONS["ext4"], image)
        tally.cases += 1
        try:
            with bench.driver(path, writer=writer, **SIZE) as driver:
                opened = driver.start("open")[1]
                if opened != "OPEN -1":
                    raise Skipped(f"the file system cannot be used: {opened}")
                os.sync()
                size = os.stat(image).st_blocks * 512 + margin
                command("mount", "-o", f"remount,size={size}", small)
                driver.send(f"loop {SAVES} 1000 {case}")
                lines = []
                while not lines or not (lines[-1] is None or lines[-1].startswith(("FAIL", "DONE"))):
                    lines.append(driver.answer())
            promised = acknowledged(lines)
            name = f"{margin} bytes left, {lines[-1]}, {promised} acknowledged"
            if lines[-1] is None:
                tally.violation("crash", name)
            elif lines[-1].startswith("FAIL"):
                names_file(tally, lines[-1], "store.json", name)
            bench.unmount(folder)
            # With room for the content of the log, as after a user has freed some.
            command("mount", "-o", "remount,size=512m", small)
            bench.mount(folder, "-o", MOUNT_OPTIONS["ext4"], image)
            try:
                found = ledger.revision_of_file(path)
            except (Torn, OSError) as error:
                return tally.violation("torn", f"{name}: {error}")
            if found is None or found < promised:
                tally.violation("lost", f"{name}: the file is at {found}")
            elif found > promised + 1:
                tally.violation("other", f"{name}: the file is at {found}")
            if writer == "ours":
                recover(bench, tally, folder, path, found, name)
            return lines[-1]
        except Hang as hang:
            tally.violation("hang", f"{margin} bytes left: {hang}")
        finally:
            bench.unmount(folder)
            os.remove(image)


def recover(bench, tally, folder, path, found, name):
    with bench.driver(path, **SIZE) as driver:
        answers = driver.start("open", "change", "flush", "close")
        driver.end()
    if answers[3] != f"ACK {found + 1}":
        tally.violation("other", f"{name}: what follows fails: {answers}")
    no_temporaries(tally, folder, name)


def check(bench, tally, writer, cases):
    failed = 0
    size = len(bench.ledger(**SIZE).rest)
    for case in range(cases):
        # From too little for the first save to enough for the log of several.
        last = one(bench, tally, writer, case, size * 3 * (2 * case + 1) // (2 * cases))
        failed += bool(last and last.startswith("FAIL"))
    return failed


def run(bench, tally):
    cases = bench.count(12, 3)
    failed = check(bench, tally, "ours", cases)
    tally.notes.append(f"the disk failed in {failed} of {cases}")
    if failed < cases:
        tally.violation("other", f"the disk failed in {failed} cases only")


def catch(bench, tally, writer):
    check(bench, tally, writer, bench.count(6, 3))
