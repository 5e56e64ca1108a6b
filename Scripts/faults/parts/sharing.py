"""The programs that share a store, and what the file and all of them must hold."""

import concurrent.futures
import json
import os
import time

from .bench import read
from .content import HEAD, read_if_any
from .journal import Journal, journal_of
from .judge import no_journal, no_temporaries
from .member import CONTESTED, TIME_LIMIT, Member
from .sums import Torn, cksum

# The size up to which the journal may grow; None for no journal.
JOURNALS = {"no journal": None, "a journal": 20_000}
# So small that every few saves are a fold.
FOLDED_OFTEN = {"no journal": None, "a journal": 2_000}


class Party:
    """All of them, and the file."""

    def __init__(self, bench, tally, case, folder=None, journal=None, environment=None, program=None,
                 preexec=None, has_others=False):
        """`has_others`: whether another program replaces the file, so that records may be older than promised."""
        self.bench, self.tally, self.case, self.journal = bench, tally, case, journal
        self.environment, self.program = environment or {}, program or bench.sharer
        self.preexec = preexec
        self.has_others = has_others
        self.folder = folder or bench.new_folder("shared")
        self.path = os.path.join(self.folder, "marks.json")
        self.errors = open(f"{self.folder}.errors", "ab")
        self.members, self.arrivals, self.time_limit = [], [], TIME_LIMIT
        # Called with each refusal. Saves that wait too long are repeated.
        self.refusal = lambda member, code, text: code == "locked" or member.violation("other", f"{code}: {text}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for member in self.members:
            if member.program:
                member.program.__exit__()
        self.errors.close()

    def join(self, name):
        member = Member(self, name)
        self.members.append(member)
        member.start()
        return member

    def guest(self, name):
        member = Member(self, name, stays=False)
        self.members.append(member)
        return member

    @property
    def staying(self):
        """Those that have the store open, without those that ended before their time."""
        return [member for member in self.members if member.stays and member.program.process.poll() is None]

    def each(self, action):
        members = self.staying
        with concurrent.futures.ThreadPoolExecutor(max(1, len(members))) as pool:
            return list(pool.map(action, members))

    @property
    def last_error(self):
        """The last line that one of the processes has written to its standard error."""
        return (read(self.errors.name).decode(errors="replace").splitlines() or [""])[-1][:300]

    @property
    def patience(self):
        """How long after the last acknowledgement all must have the value. A machine that does other work is slower."""
        return self.bench.count(1, 5)

    @property
    def expected(self):
        return {name: number for member in self.members for name, number in member.expected.items()}

    def rest(self, name, since=0):
        """All must have the value of the file soon after the last acknowledgement, or after a later time."""
        last = max(since, *(member.acknowledged_at for member in self.members))
        time.sleep(max(0, last + 1 - time.monotonic()))
        end = last + min(20, self.time_limit)
        try:
            held = stored(self.path)
        except Torn as torn:
            return self.tally.violation("torn", f"{self.case}, {name}: {torn}")
        self.compare(held, f"{name}, the file")
        for member in self.staying:
            value, changed_at = member.value()
            while value != held and time.monotonic() < end:
                time.sleep(0.05)
                value, changed_at = member.value()
            if value != held:
                member.violation("lost", f"{name}: {difference(value, held)} in comparison with the file")
            elif changed_at - last > self.patience:
                member.violation("hang", f"{name}: had the value of the file after {changed_at - last:.1f} s")
            self.arrivals.append(max(0, changed_at - last))
        self.require_idle(name)

    def require_idle(self, name):
        """Processes that have nothing to save, and nothing to read, take no processor time."""
        members = self.staying
        before = [processor_time(member) for member in members]
        time.sleep(0.5)
        for member, old in zip(members, before):
            used = processor_time(member) - old
            if used > 0.1:
                member.violation("other", f"{name}: took {used:.2f} s of processor time in half a second of rest")

    def compare(self, held, name):
        if self.has_others:
            return
        own = {key: value for key, value in held.items() if key != CONTESTED}
        if own != self.expected:
            self.tally.violation("lost", f"{self.case}, {name}: {difference(own, self.expected)}")

    def end(self):
        """Closes all stores. The file alone has everything then, and nothing else is left."""
        for member in self.staying:
            member.close()
        try:
            self.compare(stored(self.path), "at the end")
        except Torn as torn:
            self.tally.violation("torn", f"{self.case}, at the end: {torn}")
        no_temporaries(self.tally, self.folder, self.case)
        no_journal(self.tally, self.path, self.case)
        left = [name for name in os.listdir(self.folder) if name.endswith(".lock")]
        if left:
            self.tally.violation("other", f"{self.case}: closed stores leave {left[0]}")


def stored(path):
    """The records of a file and its journal, read without the library. Raises Torn."""
    data, journal = read(path), read_if_any(journal_of(path))
    head = HEAD.match(data)
    if not head or int(head.group(1)) != cksum(data[head.end():]):
        raise Torn("the checksum of the file is wrong")
    marks = {mark["id"]: mark["number"] for mark in json.loads(data)["marks"]}
    if journal is None:
        return marks
    for line in Journal(journal).changes({"checksum": int(head.group(1)), "size": len(data)}):
        for name in line.get("removed", {}).get("marks", []):
            marks.pop(name, None)
        marks |= {mark["id"]: mark["number"] for mark in line.get("put", {}).get("marks", [])}
    return marks


def difference(found, expected):
    missing = [f"{name}={expected[name]}" for name in expected if found.get(name) != expected[name]]
    more = [f"{name}={found[name]}" for name in found if name not in expected]
    return f"misses {missing[:3]} of {len(missing)}, has {more[:3]} of {len(more)} more"


def processor_time(member):
    """The seconds so far. It is counted in hundredths."""
    with open(f"/proc/{member.program.process.pid}/stat") as file:
        times = file.read().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def wait_until(condition, limit):
    end = time.monotonic() + limit
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()
