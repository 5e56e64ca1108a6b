"""Every system call of a save, of making a store, of opening one and of closing one fails in every way, or is the last.

strace is attached to a driver that waits, so that its counters begin where the phase does. The calls of a phase are listed
by a first run; then each is made to fail by itself, in a run of its own.
"""

import collections
import os
import re
import shutil
import signal

from .bench import require_tool
from .driver import Hang
from .judge import ended_well, file_is_one_of, goes_on, has_everything, names_file, no_temporaries
from .traced import JOURNAL_PHASES, PHASES, Traced

NAME = "failing system call"
ERRORS = ["EIO", "ENOSPC", "EINTR", "EDQUOT", "EROFS", "EMFILE", "EACCES"]
# A close that strace fails is not made at all, and the open file keeps the lock. The short writes part fails it properly.
KILL_ONLY = {"close"}
# Not of files, or (readv, writev) the driver's own.
IGNORED = {"readv", "writev", "mmap", "munmap", "poll", "ppoll", "epoll_wait", "epoll_ctl", "epoll_create1", "eventfd2",
           "timerfd_create", "timerfd_settime", "execve"}
# If one of these fails, other than by an interruption, it must be reported.
MUST_REPORT = {"write", "pwrite64", "fsync", "fdatasync", "renameat", "renameat2", "rename", "fchmod", "flock"}
# Files beside the store: a save need not fail because of them.
BESIDE = (".store.json.generations", ".store.json.lock")
SHORT_JOURNAL_PHASES = ["append", "fold by size"]
CALL = re.compile(r"^(\d+)\s+(\w+)\(")
# The removal of the journal, and the sync behind it.
JOURNAL_REMOVED = re.compile(r"unlinkat\([^)\n]*\.journal[^)\n]*\)[^\n]*\n[^\n]*f(data)?sync[^\n]*\(INJECTED\)")
# A write of space for further lines of a journal, which may fail.
SPACE = re.compile(r'pwrite64\([^"\n]*"(\\0)+"[^\n]*\(INJECTED\)')
# The first failure if the temporary cannot be removed either.
BEFORE_REMOVAL = ["write", "fsync", "renameat"]


def calls(bench, writer, phase):
    """The calls of a phase, as (name, number among those of its name on its thread)."""
    folder = bench.new_folder("calls")
    with Traced(bench, writer, phase, folder, "-e", "trace=%file,%desc") as traced:
        answer = traced.driver.ask(traced.phase.line)
        if answer is None or answer.startswith("FAIL"):
            raise RuntimeError(f"{phase}, without a fault: {answer}")
        # Its end does not belong to the phase.
        traced.driver.kill()
    counts = collections.Counter()
    found = []
    with open(traced.log, errors="replace") as log:
        for line in log:
            match = CALL.match(line)
            if match and match.group(2) not in IGNORED:
                counts[match.groups()] += 1
                found.append((match.group(2), counts[match.groups()]))
    return sorted(set(found), key=found.index)


def injection(call, number, fault):
    what = "signal=KILL" if fault == "KILL" else f"error={fault}"
    return ["-e", f"inject={call}:{what}:when={number}"]


def one(bench, tally, writer, phase, call, number, fault, removal=None):
    """One fault; `removal` is a second one, at the removal of the temporary."""
    case = f"{phase}, {call} {number}, {fault}" + (f", then removal {removal}" if removal else "")
    ledger = bench.ledger()
    folder = bench.new_folder("call")
    options = ["-y", "-e", f"trace={call},unlinkat", *injection(call, number, fault)]
    if removal:
        options += injection("unlinkat", 1, removal)
    tally.cases += 1
    with Traced(bench, writer, phase, folder, *options) as traced:
        path, old, new = traced.path, traced.phase.old, traced.phase.new
        try:
            code, reported = follow(tally, ledger, traced, case)
            journal = traced.phase.journal
        except Hang as hang:
            tally.violation("hang", f"{case}: {hang}")
            return True
    with open(traced.log, errors="replace") as log:
        text = log.read()
    is_killed = "KILL" in (fault, removal) and code == -signal.SIGKILL
    has_struck = text.count("(INJECTED)") + is_killed >= (2 if removal else 1)
    if is_killed:
        file_is_one_of(tally, ledger, path, [old, new], case)
    else:
        ended_well(tally, code, case)
        # A remnant stays until another process saves.
        if not removal and not traced.phase.has_stale:
            no_temporaries(tally, folder, case)
        is_of_store = not any(other in line for line in text.splitlines() if "(INJECTED)" in line for other in BESIDE)
        # Then the file has everything, and nothing in the journal is replayed onto it.
        is_of_store = is_of_store and not JOURNAL_REMOVED.search(text) and not SPACE.search(text)
        if has_struck and is_of_store and call in MUST_REPORT and fault not in ("EINTR", "KILL") and not reported:
            tally.violation("silent", f"{case}: nothing was reported")
    if writer == "ours":
        if has_struck:
            os.remove(traced.log)
        goes_on(bench, tally, ledger, folder, path, case, journal=journal)
    shutil.rmtree(folder)
    return has_struck


def follow(tally, ledger, traced, case):
    """Repeats the operation of the phase until it succeeds, and judges the file after every answer."""
    driver, path, old, new = traced.driver, traced.path, traced.phase.old, traced.phase.new
    reported = False
    may_be_new = False
    line = traced.phase.line
    for _ in range(4):
        answer = driver.ask(line, limit=25)
        if answer is None:
            break
        if not answer.startswith("FAIL"):
            file_is_one_of(tally, ledger, path, [new], case)
            if line == "close":
                has_everything(tally, ledger, path, new, case)
            break
        reported = True
        line = traced.phase.then or line
        names_file(tally, answer, "store.json", case)
        # "indeterminate" is the only failure after which the new value may be there, also after the next failure.
        may_be_new = may_be_new or " indeterminate:" in answer
        allowed = [old, new] if may_be_new else [old]
        file_is_one_of(tally, ledger, path, allowed, f"{case}, after {answer}")
    else:
        tally.violation("other", f"{case}: does not recover: {answer}")
    return driver.end(), reported


def check(bench, tally, writer, phases, share):
    require_tool("strace")
    random = bench.random(NAME, writer)
    missed = []
    for phase in phases:
        found = calls(bench, writer, phase)
        cases = [(call, number, fault) for call, number in found for fault in [*ERRORS, "KILL"]
                 if fault == "KILL" or call not in KILL_ONLY]
        chosen = [case for case in cases if random.random() < share]
        for case in chosen:
            # A thread of another number may do the work; then the fault may not strike.
            if not any(one(bench, tally, writer, phase, *case) for _ in range(3)):
                missed.append(f"{phase} {case}")
        tally.notes.append(f"{phase}: {len(found)} calls")
    if writer == "ours" and "later save" in phases:
        for call in BEFORE_REMOVAL:
            for removal in [*ERRORS, "KILL"] if share == 1 else ["EIO", "KILL"]:
                case = (call, 1, "EIO", removal)
                if not any(one(bench, tally, writer, "later save", *case) for _ in range(3)):
                    missed.append(f"later save {case}")
    if writer == "ours":
        for case in missed:
            tally.violation("other", f"{case}: the fault did not strike in three runs")


def run(bench, tally):
    check(bench, tally, "ours", PHASES, bench.count(1, 0.08))


def run_journal(bench, tally):
    check(bench, tally, "ours", bench.count(JOURNAL_PHASES, SHORT_JOURNAL_PHASES), bench.count(1, 0.02))


def catch(bench, tally, writer):
    check(bench, tally, writer, ["later save"], bench.count(1, 0.5))
