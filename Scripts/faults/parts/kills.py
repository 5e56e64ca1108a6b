"""kill -9 at random times, while a process saves as fast as it can."""

import os
import time

from .content import Torn
from .driver import acknowledged
from .judge import goes_on

NAME = "kill -9"


def check(bench, tally, writer, cases):
    ledger = bench.ledger()
    folder = bench.new_folder("kills")
    path = os.path.join(folder, "store.json")
    random = bench.random(NAME, writer)
    durable = None
    for case in range(cases):
        tally.cases += 1
        seed, delay = random.randrange(1 << 32), random.uniform(0, 0.05)
        name = f"kill {case}, {delay * 1000:.1f} ms after the start of saving"
        with bench.driver(path, writer=writer) as driver:
            first, opened = driver.start("open")
            if opened is None or not opened.startswith("OPEN"):
                tally.violation("crash", f"{name}: opening gave {opened}")
                return
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
            os.remove(path)
            durable = None
            continue
        # The one that was being saved may be there.
        if durable is None or durable < promised:
            tally.violation("lost", f"{name}: revision {promised} was acknowledged, the file is at {durable}")
        elif durable > promised + 1:
            tally.violation("other", f"{name}: the file is at {durable}, but only {promised} was acknowledged")
    if writer == "ours":
        goes_on(bench, tally, ledger, folder, path, "after all kills")


def run(bench, tally):
    check(bench, tally, "ours", bench.count(1000, 60))


def catch(bench, tally, writer):
    check(bench, tally, writer, bench.count(300, 60))
