"""Many processes that add notes to one store at the same time, through the command line."""

import collections
import concurrent.futures
import json
import os
import subprocess

from .bench import read
from .content import cksum, HEAD
from .judge import no_temporaries

NAME = "concurrent processes"
TAGS = ["Errands", "Urgent", "Café", "a b c"]
# What sysexits.h calls a temporary failure: somebody else was there, nothing was changed.
TEMPORARY = 75
TIME_LIMIT = 120


def adder(bench, path, worker, count):
    """Adds notes one after the other; gives (text, id, tag) of each that was acknowledged, and what went wrong."""
    added, wrong, refused = [], [], 0
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    for number in range(count):
        text, tag = f"process {worker} note {number}", TAGS[(worker + number) % len(TAGS)]
        while True:
            try:
                result = subprocess.run([bench.cli, "add", text, "--tag", tag, "--store", path], capture_output=True,
                                        text=True, timeout=TIME_LIMIT, env=environment)
            except subprocess.TimeoutExpired:
                wrong.append(("hang", f"{text}: took more than {TIME_LIMIT} s"))
                break
            if result.returncode == TEMPORARY and refused < 100:
                refused += 1
                continue
            if result.returncode == 0:
                added.append((text, int(result.stdout), tag))
            else:
                kind = "crash" if result.returncode < 0 else "other"
                wrong.append((kind, f"{text}: ended with {result.returncode}: {result.stderr.strip()}"))
            break
    return added, wrong, refused


def run(bench, tally):
    workers, count = bench.count((16, 200), (4, 20))
    folder = bench.new_folder("processes")
    path = os.path.join(folder, "notes.json")
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        results = list(pool.map(lambda worker: adder(bench, path, worker, count), range(workers)))
    tally.cases += workers * count
    for _, wrong, _ in results:
        for kind, text in wrong:
            tally.violation(kind, text)
    judge(tally, read(path), [note for added, _, _ in results for note in added])
    no_temporaries(tally, folder, "at the end")
    checked = subprocess.run([bench.cli, "check", path], capture_output=True, text=True)
    if checked.returncode != 0:
        tally.violation("torn", f"check: {checked.stdout}{checked.stderr}")
    refused = sum(count for _, _, count in results)
    tally.notes.append(f"{workers} processes × {count} notes" + (f", {refused} refused at first" if refused else ""))


def judge(tally, data, added):
    """The file, read by another parser than the library's: every note once, every tag once."""
    head = HEAD.match(data)
    if not head or int(head.group(1)) != cksum(data[head.end():]):
        return tally.violation("torn", "the checksum is wrong")
    content = json.loads(data)
    notes = collections.Counter((note["text"], note["id"]) for note in content["notes"])
    names = {tag["id"]: tag["name"] for tag in content["tags"]}
    tags = {(note["text"], note["id"]): [names.get(tag) for tag in note["tags"]] for note in content["notes"]}
    for text, number, tag in added:
        if notes[text, number] != 1:
            tally.violation("lost", f"{text}, {number}: there {notes[text, number]} times")
        elif tags[text, number] != [tag]:
            tally.violation("lost", f"{text}: tags {tags[text, number]} instead of {tag}")
    if len(content["notes"]) != len(added):
        tally.violation("other", f"{len(content['notes'])} notes, but {len(added)} were acknowledged")
    if sorted(tag["name"] for tag in content["tags"]) != sorted({tag for _, _, tag in added}):
        tally.violation("other", f"tags {[tag['name'] for tag in content['tags']]}")
