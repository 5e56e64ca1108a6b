"""The judgements that several parts share."""

import os
import signal

from .content import Torn, temporaries
from .journal import journal_of


def file_is_one_of(tally, ledger, path, allowed, case):
    """The file must be one of the allowed revisions (None: no file), complete. Returns the revision, or "torn"."""
    try:
        revision = ledger.revision_of_file(path)
    except Torn as torn:
        tally.violation("torn", f"{case}: {torn}")
        return "torn"
    if revision not in allowed:
        names = " or ".join(map(str, allowed))
        tally.violation("lost", f"{case}: the file is at revision {revision}, not {names}")
    return revision


def no_temporaries(tally, folder, case):
    left = temporaries(folder)
    if left:
        tally.violation("other", f"{case}: left behind {left[:3]}")


def no_journal(tally, path, case):
    """When a store is closed, its file has everything."""
    if os.path.exists(journal_of(path)):
        tally.violation("other", f"{case}: a closed store has a journal")


def has_everything(tally, ledger, path, revision, case):
    """The same, if the journal could not be removed."""
    with open(path, "rb") as file:
        found = ledger.revision(file.read())
    if found != revision:
        tally.violation("other", f"{case}: the file of a closed store is at revision {found}, not {revision}")


def names_file(tally, answer, name, case):
    """An error must name its file."""
    if name not in answer:
        tally.violation("other", f"{case}: names no file: {answer}")


def ended_well(tally, code, case, meant=()):
    if code < 0 and signal.Signals(-code) not in meant:
        tally.violation("crash", f"{case}: killed by {signal.Signals(-code).name}")
    elif code > 0:
        tally.violation("crash", f"{case}: ended with {code}")


def goes_on(bench, tally, ledger, folder, path, case, **options):
    """After any fault, a new process must be able to open the file, save, and leave nothing behind."""
    with bench.driver(path, **options) as driver:
        answers = driver.start("open", "change", "flush", "close")
        code = driver.end()
    if any(answer is None or answer.startswith("FAIL") for answer in answers):
        tally.violation("other", f"{case}: what follows fails: {answers}")
        return
    ended_well(tally, code, f"{case}, what follows")
    file_is_one_of(tally, ledger, path, [int(answers[3].split()[1])], f"{case}, what follows")
    no_temporaries(tally, folder, f"{case}, what follows")
    no_journal(tally, path, f"{case}, what follows")
