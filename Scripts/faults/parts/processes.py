"""Many processes that add notes to one store at the same time, through the command line."""

import collections
import concurrent.futures
import json
import os
import random
import subprocess

from .bench import read
from .content import cksum, HEAD
from .judge import no_temporaries

NAME = "concurrent processes"
TAGS = ["Errands", "Urgent", "Café", "日本"]
# A temporary failure by sysexits.h: another process has the store, nothing was changed.
TEMPORARY = 75
TIME_LIMIT = 120


def command_line(bench, path, writer, text, tag):
    """Adds a note; returns the exit code, the id, and the message of a failure."""
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    if writer == "ours":
        result = subprocess.run([bench.cli, "add", text, "--tag", tag, "--store", path], capture_output=True, text=True,
                                timeout=TIME_LIMIT, env=environment)
        return result.returncode, result.stdout.strip(), result.stderr.strip()
    # The command line does not cheat, so the driver takes its part.
    number = str(random.randrange(1000, 1 << 53))
    result = subprocess.run([bench.program, path, "--writer", writer], capture_output=True, text=True,
                            timeout=TIME_LIMIT, env=environment, input=f"open\nadd {number} {tag} {text}\nflush\n")
    return (0 if "\nACK" in result.stdout else 1), number, result.stdout


def adder(bench, path, writer, worker, count):
    """Adds notes one after the other; returns (text, id, tag) of each acknowledged one, and the failures."""
    added, wrong, refused = [], [], 0
    for index in range(count):
        text, tag = f"process {worker} note {index}", TAGS[(worker + index) % len(TAGS)]
        while True:
            try:
                code, number, error = command_line(bench, path, writer, text, tag)
            except subprocess.TimeoutExpired:
                wrong.append(("hang", f"{text}: took more than {TIME_LIMIT} s"))
                break
            if code == TEMPORARY and refused < 100:
                refused += 1
                continue
            if code == 0:
                added.append((text, int(number), tag))
            else:
                wrong.append(("crash" if code < 0 else "other", f"{text}: ended with {code}: {error}"))
            break
    return added, wrong, refused


def check(bench, tally, writer, workers, count):
    folder = bench.new_folder("processes")
    path = os.path.join(folder, "notes.json")
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        results = list(pool.map(lambda worker: adder(bench, path, writer, worker, count), range(workers)))
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


def run(bench, tally):
    check(bench, tally, "ours", *bench.count((16, 200), (4, 20)))


def catch(bench, tally, writer):
    check(bench, tally, writer, 4, 20)


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
