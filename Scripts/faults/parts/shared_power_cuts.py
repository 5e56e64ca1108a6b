"""Power cuts while several processes save one file."""

import os
import time

from . import power_cuts, short_writes
from .bench import require_root
from .content import Torn
from .sharing import FOLDED_OFTEN, Party, stored
from .tally import Skipped

NAME = "shared store, power cut"
PROCESSES = 4


def cut(party, folder, image, file_system, delay):
    """Stops the file system while all write, ends all processes, and mounts it again."""
    for member in party.members:
        member.program.send(f"write {member.number + 1} 100000 2000")
    time.sleep(delay)
    for member in party.members:
        member.note_rest()
    power_cuts.shut_down(folder)
    for member in party.members:
        # Some of them may have been given between the look and the cut.
        member.kill_unheard()
    party.bench.unmount(folder)
    party.bench.mount(folder, "-o", power_cuts.MOUNT_OPTIONS[file_system], image)


def require_promises(party, name):
    """Everything that was acknowledged is in the file and its journal, as the script reads them."""
    try:
        found = stored(party.path)
    except Torn as torn:
        party.tally.violation("torn", f"{name}: {torn}")
        return False
    for member in party.members:
        number = found.get(member.name, -1)
        if number < member.number:
            member.violation("lost", f"{name}: {member.number} was acknowledged, {number} is there")
            return False
    return True


def check(bench, tally, file_system, journal, cases, until_caught=False, **options):
    require_root("mounting")
    image = bench.image(file_system, power_cuts.MEGABYTES[file_system])
    folder = bench.new_folder(file_system)
    random = bench.random(NAME, file_system, journal)
    bench.mount(folder, "-o", power_cuts.MOUNT_OPTIONS[file_system], image)
    try:
        with Party(bench, tally, f"{file_system}, {journal}", folder, FOLDED_OFTEN[journal], **options) as party:
            members = [party.join(f"p{number}") for number in range(PROCESSES)]
            for case in range(cases):
                tally.cases += 1
                delay = random.uniform(0.01, 0.2)
                cut(party, folder, image, file_system, delay)
                name = f"cut {case}, {delay * 1000:.0f} ms after the start"
                if not require_promises(party, name) and (until_caught or not os.path.exists(party.path)):
                    return
                for member in members:
                    member.start(None)
                    member.open(unheard=100)
            if not until_caught:
                party.each(lambda member: member.write(member.number + 10, 1_000))
                party.rest("after all cuts")
                party.end()
    finally:
        bench.unmount(folder)
        os.remove(image)


def run(bench, tally):
    for file_system in power_cuts.MEGABYTES:
        for journal in FOLDED_OFTEN:
            try:
                check(bench, tally, file_system, journal, bench.count(60, 3))
            except Skipped as skipped:
                tally.skip(f"{file_system}: {skipped}")


def catch(bench, tally, flaw):
    library = short_writes.library(bench, "sharing-flaws")
    environment = {"LD_PRELOAD": library, "FAULT_SHARING": flaw.removeprefix("sharing-")}
    for file_system in power_cuts.MEGABYTES:
        try:
            check(bench, tally, file_system, "a journal", bench.count(20, 6), until_caught=True, environment=environment)
        except Skipped as skipped:
            tally.skip(f"{file_system}: {skipped}")
        if tally.caught_by:
            return tally.notes.append(file_system)
