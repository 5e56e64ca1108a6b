"""Full disks, and processes that cannot write, in the middle of saves to a file that others have open too."""

import os
import resource
import signal
import threading

from .sharing import FOLDED_OFTEN, Party, wait_until


def fill(all_, folder, until, random, refused):
    """The disk is full now and then while all write."""
    over = threading.Event()
    filler = os.path.join(folder, "filler")

    def fill_again_and_again():
        while not over.wait(random.uniform(0.02, 0.2)):
            count = len(refused)
            try:
                with open(filler, "wb", buffering=0) as file:
                    while file.write(bytes(4096)):
                        pass
            except OSError:
                pass
            wait_until(lambda: len(refused) > count + 2 or over.is_set(), 2)
            os.remove(filler)

    thread = threading.Thread(target=fill_again_and_again)
    thread.start()
    all_.each(lambda member: member.write(until, 5_000))
    over.set()
    thread.join()


def full_disk(bench, tally, journal):
    case, refused = f"full disk, {journal}", []
    with bench.mounted("-t", "tmpfs", "-o", "size=1m", "none", name="full") as folder:
        with Party(bench, tally, case, journal=FOLDED_OFTEN[journal], folder=folder) as all_:
            all_.refusal = lambda member, code, text: note_full(refused, member, code, text)
            for number in range(4):
                all_.join(f"p{number}")
            fill(all_, folder, bench.count(300, 30), bench.random(case), refused)
            all_.rest("with space again")
            all_.end()
    return len(refused)


def note_full(refused, member, code, text):
    if code == "locked":
        return
    refused.append(member)
    if "marks.json" not in text:
        member.violation("other", f"names no file: {code}: {text}")


def ignore_limit():
    """The error is EFBIG then."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def limited(bench, tally, journal, limit):
    """One process cannot write files of this size. The others go on meanwhile."""
    case, refused = f"one process with files of at most {limit} bytes, {journal}", []
    unlimited = resource.RLIM_INFINITY
    with Party(bench, tally, case, journal=FOLDED_OFTEN[journal], preexec=ignore_limit) as all_:
        all_.refusal = lambda member, code, text: note_full(refused, member, code, text)
        one, *others = [all_.join(f"p{number}") for number in range(4)]
        all_.each(lambda member: member.write(9, 1_000))
        resource.prlimit(one.program.process.pid, resource.RLIMIT_FSIZE, (limit, unlimited))
        thread = threading.Thread(target=one.write, args=(49, 0))
        thread.start()
        all_.each(lambda member: member is one or member.write(49, 1_000))
        wait_until(lambda: refused, 10)
        if one.number == 49:
            tally.violation("other", f"{case}: the fault did not strike")
        resource.prlimit(one.program.process.pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
        thread.join()
        if any(member.refused.keys() - {"locked"} for member in others):
            tally.violation("other", f"{case}: others failed too: {[member.refused for member in others]}")
        all_.rest("afterwards")
        all_.end()
    return len(refused)
