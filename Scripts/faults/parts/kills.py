"""kill -9 at random times, while a process saves as fast as it can."""

import collections
import os
import time

from .content import Torn, remove_store, temporaries
from .driver import acknowledged
from .journal import unfinished_work
from .judge import goes_on

NAME = "kill -9"


def check(bench, tally, writer, cases, longest=0.05, size={}, folder=None, until_caught=False, **options):
    """`size` and `options` are those of the driver. Returns what the killed ones were doing, as far as it is seen."""
    ledger = bench.ledger(**size)
    folder = folder or bench.new_folder("kills")
    path = os.path.join(folder, "store.json")
    random = bench.random(NAME, writer)
    durable = None
    work = collections.Counter()
    for case in range(cases):
        if until_caught and tally.caught_by:
            break
        tally.cases += 1
        seed, delay = random.randrange(1 << 32), random.uniform(0, longest)
        name = f"kill {case}, {delay * 1000:.1f} ms after the start of saving"
        before = set(temporaries(folder))
        with bench.driver(path, writer=writer, **size, **options) as driver:
            first, opened = driver.start("open")
            if opened is None or not opened.startswith("OPEN"):
                tally.violation("crash", f"{name}: opening gave {opened}")
                return work
            found = int(opened.split()[1])
            if durable is not None and found != durable:
                tally.violation("lost", f"{name}: opened at revision {found}, but the file was at {durable}")
            driver.send(f"loop 1000000 500 {seed}")
            time.sleep(delay)
            code = driver.process.poll()
            driver.kill()
            lines = driver.lines_so_far()
        if code is not None:
            tally.violation("crash", f"{name}: ended before with {code}, {lines[-1:]}")
        promised = max(found, acknowledged(lines))
        try:
            durable = ledger.revision_of_file(path)
        except Torn as torn:
            tally.violation("torn", f"{name}: {torn}")
            remove_store(path)
            durable = None
            continue
        # The one that was being saved may be there.
        if durable is None or durable < promised:
            tally.violation("lost", f"{name}: revision {promised} was acknowledged, the file is at {durable}")
        elif durable > promised + 1:
            tally.violation("other", f"{name}: the file is at {durable}, but only {promised} was acknowledged")
        elif options.get("journal"):
            work[unfinished_work(path, durable > promised, set(temporaries(folder)) - before)] += 1
    if writer == "ours":
        goes_on(bench, tally, ledger, folder, path, "after all kills", **size, **options)
    return work


def run(bench, tally):
    check(bench, tally, "ours", bench.count(1000, 60))


def catch(bench, tally, writer):
    check(bench, tally, writer, bench.count(300, 60))
