"""Processes that are stopped or killed in the middle of a save to a file that others have open too."""

import os
import signal
import threading

from . import short_writes
from .bench import read
from .content import read_if_any
from .journal import journal_of
from .sharing import FOLDED_OFTEN, Party, wait_until

# The calls of a process that has the lock.
CALLS = {
    "no journal": ["lock", "name", "write", "fsync", "renameat", "note", "unlock"],
    "a journal": ["lock", "name", "pwrite", "fdatasync", "write", "fsync", "renameat", "note", "unlock"],
}
# Before these calls the process has not written its name into the lock file, or has taken it out. Nobody is named.
UNNAMED = ("lock", "name", "unlock")


def party(bench, tally, case, journal):
    environment = {"LD_PRELOAD": short_writes.library(bench, "sharing-flaws")}
    return Party(bench, tally, case, journal=FOLDED_OFTEN[journal], environment=environment)


def arm(member, call, number):
    """The process gets a signal when it has the lock and makes the call."""
    with open(member.trigger + ".new", "w") as file:
        file.write(f"{call} {int(number)}\n")
    os.rename(member.trigger + ".new", member.trigger)


def is_stopped(member):
    with open(f"/proc/{member.program.process.pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] == "T"


def stop(bench, tally, journal, call):
    """A process is stopped while it has the lock."""
    with party(bench, tally, f"stopped before {call}, {journal}", journal) as all_:
        members = [all_.join(f"p{number}") for number in range(4)]
        held, said = members[0], []
        all_.refusal = lambda member, code, text: said.append((member, code, text))
        for member in members:
            member.write(2, 0)
        arm(held, call, signal.SIGSTOP)
        # Those that have written all cannot wait. So the others write longer than the one that is stopped.
        threads = [
            threading.Thread(target=member.write, args=(40 if member is held else 400, 0)) for member in members]
        for thread in threads:
            thread.start()
        process = held.program.process.pid
        if wait_until(lambda: is_stopped(held), 20):
            before = contents(all_.path)
            waiting = set(members[1:])
            if not wait_until(lambda: waiting <= {member for member, *_ in said}, 60):
                tally.violation("hang", f"{all_.case}: the others do not say that they wait")
            if contents(all_.path) != before:
                tally.violation("lost", f"{all_.case}: the others have saved without the lock")
            os.kill(process, signal.SIGCONT)
        else:
            tally.violation("other", f"{all_.case}: was never stopped")
        for thread in threads:
            thread.join()
        for member, code, text in said:
            name = f" (process {process}) has been saving since 20"
            is_right = "another process" in text if call in UNNAMED else name in text
            if code != "locked" or not is_right:
                tally.violation("other", f"{all_.case}, {member.name}: {code}: {text}")
        all_.rest("afterwards")
        all_.end()


def contents(path):
    """What others could have changed, and which file is the lock."""
    lock = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.lock")
    return read(path), read_if_any(journal_of(path)), os.stat(lock).st_ino


def kill(bench, tally, journal, call, times):
    """A process is killed while it has the lock."""
    with party(bench, tally, f"killed before {call}, {journal}", journal) as all_:
        members = [all_.join(f"p{number}") for number in range(3)]
        doomed = members[0]
        for turn in range(times):
            arm(doomed, call, signal.SIGKILL)
            doomed.is_doomed = True
            # Not every save makes each call.
            for _ in range(8):
                until = max(member.number for member in members) + 12
                all_.each(lambda member: member.write(until, 1_000))
                if not os.path.exists(doomed.trigger):
                    break
            if os.path.exists(doomed.trigger):
                tally.violation("other", f"{all_.case}: was never killed")
                os.remove(doomed.trigger)
            all_.rest(f"kill {turn + 1}")
        kill_alone(all_, doomed, call)
        all_.end()


def kill_alone(all_, doomed, call):
    """Nobody saves behind the kill, so the lock file stays as it is."""
    arm(doomed, call, signal.SIGKILL)
    doomed.is_doomed = True
    for _ in range(8):
        if not doomed.ask(f"write {doomed.number + 1} 12 1000"):
            break
    if os.path.exists(doomed.trigger):
        os.remove(doomed.trigger)
    all_.require_idle("behind a kill")
    doomed.is_doomed = False
    doomed.kill()
    doomed.start()
    all_.each(lambda member: member.write(member.number + 2, 1_000))
    all_.rest("behind the last kill")
