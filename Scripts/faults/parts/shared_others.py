"""Another program replaces a file that several processes have open, and may have read an older version of it."""

import json
import os
import threading
import time

from . import short_writes
from .bench import read
from .sharing import JOURNALS, Party

NAME = "shared store, another program"


def edit(data, number):
    """The same file with a record of the other program; `data` itself stands for an old copy that is put back."""
    if number % 2:
        return data
    content = json.loads(data)
    # The checksum claims that the file is unchanged.
    content["snapshot"].pop("checksum", None)
    content["marks"].append({"id": f"other-{number}", "number": number, "text": f"number {number} of another"})
    return json.dumps(content).encode()


def replace(path, is_over, random, counts):
    """Reads the file, waits, and puts an edited or an old one in its place."""
    number = 0
    while not is_over.wait(random.uniform(0, 0.05)):
        try:
            old = read(path)
        except FileNotFoundError:
            continue
        if is_over.wait(random.uniform(0, 0.1)):
            return
        number += 1
        with open(f"{path}.tmp-other", "wb") as file:
            file.write(edit(old, number))
        counts["late"] += read(path) != old
        os.replace(file.name, path)
        counts["replaced"] += 1


def refuse(member, code, text):
    """A file that is replaced at the last moment is not overwritten. The save is repeated."""
    if code not in ("locked", "changedExternally"):
        member.violation("other", f"{code}: {text}")


def settle(party):
    """Saves what merges have left unsaved: a store of the policy `manual` has that in memory until it is asked.

    Returns when it was saved."""
    # The looks at the last file come first. A merge may follow the last save.
    time.sleep(1)
    for _ in party.members:
        before = read(party.path)
        for member in party.staying:
            member.ask("flush")
        if read(party.path) == before:
            break
    else:
        party.tally.violation("other", f"{party.case}: the stores do not come to rest")
    return time.monotonic()


def not_found(party):
    """What was acknowledged and is in no file: neither in the store's nor in one that was kept beside it."""
    files = [read(entry.path) for entry in os.scandir(party.folder) if entry.is_file()]
    wanted = [f"number {number} of {member.name}" for member in party.members for number in member.kept_numbers]
    wanted += [f"the last of {member.name} is {member.number}" for member in party.members]
    return [text for text in wanted if not any(f'"{text}"'.encode() in data for data in files)]


def check(bench, tally, case, journal, processes, writes, counts, **options):
    with Party(bench, tally, case, journal=journal, has_others=True, **options) as party:
        party.refusal = refuse
        for number in range(processes):
            party.join(f"p{number}")
        over = threading.Event()
        other = threading.Thread(target=replace, args=(party.path, over, bench.random(NAME, case), counts))
        other.start()
        party.each(lambda member: member.write(writes - 1, 20_000))
        over.set()
        other.join()
        # A save looks at what the other program has put there last.
        party.each(lambda member: member.write(writes, 0))
        party.rest("the end", since=settle(party))
        tally.cases += processes * (writes + 1)
        for member in party.staying:
            member.close()
        missing = not_found(party)
        if missing:
            tally.violation("lost", f"{case}: {len(missing)} are in no file, the first is “{missing[0]}”")


def run(bench, tally):
    counts = {"replaced": 0, "late": 0}
    for turn in range(bench.count(5, 1)):
        for case, journal in JOURNALS.items():
            check(bench, tally, f"{case} {turn}", journal, 4, bench.count(300, 60), counts)
    if not counts["late"]:
        tally.violation("other", "no file came too late, so nothing was shown")
    tally.notes.append(f"{counts['replaced']} files of another program, {counts['late']} made from an older version")


def catch(bench, tally, flaw):
    library = short_writes.library(bench, "sharing-flaws")
    environment = {"LD_PRELOAD": library, "FAULT_SHARING": flaw.removeprefix("sharing-")}
    counts = {"replaced": 0, "late": 0}
    for turn in range(bench.count(10, 5)):
        for case, journal in JOURNALS.items():
            check(bench, tally, f"{case} {turn}", journal, 4, 60, counts, environment=environment)
            if tally.caught_by:
                return tally.notes.append(case)
