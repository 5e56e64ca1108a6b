"""Many processes that have one store open all the time and write it, while some are killed."""

import statistics
import threading
import time

from . import short_writes
from .sharing import JOURNALS, Party

NAME = "shared store"


def write_in_between(session, alone, is_over, random):
    """Short sessions, and stores that are open exclusively for a while."""
    session.start(None)
    while session.program.process.poll() is None and not is_over.wait(random.uniform(0, 0.3)):
        session.ask(f"update {session.number + 1}")
        if random.random() < 0.3 and alone.start("alone"):
            alone.write(alone.number + random.randrange(1, 4), 20_000)
            alone.close()
    session.program.end()


def check(bench, tally, case, journal, processes, writes, rounds, killed, pause=20_000, time_limit=120, **options):
    """`writes` of each process, with a rest after each round. `killed` is the share of processes in each round."""
    random = bench.random(NAME, case)
    with Party(bench, tally, case, journal=journal, **options) as party:
        party.time_limit = time_limit
        for number in range(processes):
            party.join(f"p{number}")
        guests = [party.guest("session"), party.guest("alone")]
        spent = 0
        for turn in range(rounds):
            until = writes * (turn + 1) // rounds - 1
            start, over = time.monotonic(), threading.Event()
            # The times of kills are spread over the round. It takes at least half of the pauses.
            longest = (until + 1) / (turn + 1) * pause / 2e6
            times = {member: random.uniform(0, longest) for member in party.staying if random.random() < killed}
            between = threading.Thread(target=write_in_between, args=(*guests, over, bench.random(case, turn)))
            between.start()
            party.each(lambda member: member.write(until, pause, times.get(member)))
            over.set()
            between.join()
            spent += time.monotonic() - start
            party.rest(f"round {turn + 1}")
        party.end()
        return summary(party, spent)


def summary(party, spent):
    members = party.members
    party.tally.cases += sum(member.writes for member in members)
    locked = sum(member.refused["locked"] for member in members)
    session, alone = members[-2:]
    return (f"{party.case}: {len(members) - 2} processes, {sum(member.kills for member in members)} kills, "
            f"{session.writes} sessions, {alone.writes} writes of exclusive stores, "
            f"{sum(member.writes for member in members) / spent:,.0f} writes a second, "
            f"the same value {statistics.median(party.arrivals or [0]) * 1000:.1f} ms after the last one (median, "
            f"at most {max(party.arrivals, default=0) * 1000:.1f} ms), {locked} waits too long")


def run(bench, tally):
    for case, journal in JOURNALS.items():
        note = check(bench, tally, case, journal, 16, *bench.count((1_000, 10), (20, 1)), killed=0.3)
        tally.notes.append(note)


def catch(bench, tally, flaw):
    library = short_writes.library(bench, "sharing-flaws")
    environment = {"LD_PRELOAD": library, "FAULT_SHARING": flaw.removeprefix("sharing-")}
    # On a slow machine the processes may hardly meet in the time of one round.
    for _ in range(5):
        for case, journal in reversed(JOURNALS.items()):
            check(
                bench, tally, case, journal, 4, bench.count(40, 20), 1, killed=0, environment=environment, time_limit=3)
            if tally.caught_by:
                return tally.notes.append(case)
