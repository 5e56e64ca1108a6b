"""One of the programs that share a store, and what it was promised."""

import collections
import signal
import time

from .driver import Hang, Program
from .judge import ended_well

# The numbers of a writer that are kept; see the driver.
KEPT = 20
# The record that every writer changes.
CONTESTED = "all"
# Seconds for an answer.
TIME_LIMIT = 120


class Member:
    """One of them, in one process after the other."""

    def __init__(self, party, name, stays=True):
        """`stays`: whether it has the store open all the time."""
        self.party, self.name, self.stays = party, name, stays
        self.number, self.acknowledged_at = -1, 0
        self.refused, self.conflicts, self.writes, self.kills = collections.Counter(), 0, 0, 0
        self.program = None
        # Whether it may be killed by a signal that it sends to itself.
        self.is_doomed = False

    @property
    def expected(self):
        """The records that are its own."""
        if self.number < 0:
            return {}
        return {self.name: self.number, **{f"{self.name}-{number}": number for number in self.kept_numbers}}

    @property
    def kept_numbers(self):
        return range(max(0, self.number + 1 - KEPT), self.number + 1)

    def violation(self, kind, text):
        self.party.tally.violation(kind, f"{self.party.case}, {self.name}: {text}")

    def start(self, command="open"):
        """Starts a process, and opens the store in it, if there is a command for that."""
        party = self.party
        environment = {"FAULT_SHARING_TRIGGER": self.trigger, **party.environment}
        self.program = Program(
            [party.program, party.path, self.name, str(party.journal or "none")],
            environment=environment, errors=party.errors, preexec=party.preexec)
        self.program.answer(TIME_LIMIT)
        return not command or self.open(command)

    @property
    def trigger(self):
        return f"{self.party.folder}.{self.name}.trigger"

    def open(self, command="open", unheard=0):
        """`unheard`: how many acknowledgements may not have arrived."""
        answer = self.program.ask(command, TIME_LIMIT) or "ENDED"
        if not answer.startswith("OPEN"):
            self.violation("other", f"{command}: {answer}")
            return False
        found = int(answer.split()[1])
        if found < self.number:
            self.violation("lost", f"opened at {found}, but {self.number} was acknowledged")
        elif found > self.number + 1 + unheard:
            self.violation("other", f"opened at {found}, but only {self.number} was acknowledged")
        self.number = found
        return True

    def note(self, line):
        """Takes an answer into account. Returns whether it is the last one of a command."""
        word, _, rest = line.partition(" ")
        if word == "ACK":
            number, at = rest.split()
            self.number, self.acknowledged_at = int(number), float(at)
            self.writes += 1
        elif self.party.has_others and word in ("MISSING", "CONFLICT"):
            pass
        elif word == "MISSING":
            self.violation("lost", f"misses {rest}")
        elif word == "REFUSED":
            code, _, text = rest.partition(": ")
            self.refused[code] += 1
            self.party.refusal(self, code, text)
        elif word == "CONFLICT":
            self.conflicts += 1
            # Nobody else writes the other records.
            if any(place.split(",")[0] != f"marks {CONTESTED}" for place in rest.split("; ")):
                self.violation("other", line)
        elif word not in ("DONE", "CLOSED"):
            self.violation("other", line)
        return word in ("DONE", "CLOSED", "FAIL")

    def ask(self, command, kill_after=None):
        """Returns whether the command came to its end. Each acknowledgement has the time limit."""
        self.program.send(command)
        limit = self.party.time_limit
        end = time.monotonic() + (limit if kill_after is None else kill_after)
        while time.monotonic() < end:
            try:
                line = self.program.answer(max(0, end - time.monotonic()))
            except Hang:
                break
            if line is None:
                code = self.program.process.wait()
                if not self.is_doomed or code != -signal.SIGKILL:
                    self.violation("crash", f"{command}: ended with {code}: {self.party.last_error}")
                return False
            if self.note(line):
                return True
            if line.startswith("ACK") and kill_after is None:
                end = time.monotonic() + limit
        if kill_after is None:
            self.violation("hang", f"{command}: nothing was acknowledged for {limit} s")
            self.program.kill()
        return False

    def write(self, until, pause, kill_after=None):
        """Writes up to a number. If there is a time for it, the process is killed then, and another one goes on."""
        if self.ask(f"write {self.number + 1} {until - self.number} {pause}", kill_after):
            return
        if kill_after is None and not self.is_doomed:
            return
        self.is_doomed = False
        self.kill()
        if self.start():
            self.write(until, pause)

    def kill(self):
        self.kills += 1
        self.program.kill()
        self.note_rest()

    def kill_unheard(self):
        """Kills it. What it has said since the last look does not count."""
        self.kills += 1
        self.program.kill()
        self.program.lines_so_far()

    def note_rest(self):
        for line in self.program.lines_so_far():
            self.note(line)

    def value(self):
        """The records that its store has, and when they changed last."""
        self.note_rest()
        answer = self.program.ask("value", TIME_LIMIT)
        while answer and not answer.startswith("VALUE"):
            self.note(answer)
            answer = self.program.answer(TIME_LIMIT)
        _, changed_at, *marks = (answer or "VALUE 0").split()
        return {name: int(number) for name, number in (mark.split("=") for mark in marks)}, float(changed_at)

    def close(self):
        if self.ask("close"):
            ended_well(self.party.tally, self.program.end(), f"{self.party.case}, {self.name}")
