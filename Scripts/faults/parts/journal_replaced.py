"""Someone replaces or edits the file while changes are in the journal only. What either side wrote must be kept."""

import glob
import json
import os

from .journal import Journal, journal_of
from .judge import ended_well, no_journal
from .sums import cksum

NAME = "replaced file, journal"
SIZE = {"notes": 5, "padding": 100}
LIMIT = 100_000


def changed(text, number):
    return f"{text} and edit {number} of someone else"


def edit_same(notebook, number):
    note = notebook["notes"][2]
    note["text"] = changed(note["text"], number)


def edit_other(notebook, number):
    note = notebook["notes"][0]
    note["text"] = changed(note["text"], number)


def add(notebook, number):
    note = notebook["notes"][0] | {"id": 5_000 + number}
    notebook["notes"].append(note | {"text": changed(note["text"], number)})


def remove(notebook, number):
    notebook["notes"].pop(number % 5)


def reformat(notebook, number):
    pass


EDITS = [edit_same, edit_other, add, remove, reformat]


def replaced(path, edit, number, in_place):
    """Edits the file as a program does that knows no checksum. Returns its new bytes."""
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    notebook["snapshot"].pop("checksum", None)
    edit(notebook, number)
    target = path if in_place else f"{path}.new"
    with open(target, "w", encoding="utf-8") as file:
        json.dump(notebook, file, ensure_ascii=False)
    os.replace(target, path)
    return texts_of(notebook)


def moved(journal, data):
    """The same lines as if they stood on other bytes: what a reader makes of a journal whose base it does not check."""
    lines, last = [], 0
    for line in journal.lines:
        line.pop("sum")
        line |= {"base": {"digest": cksum(data), "size": len(data)}} if "base" in line else {"after": last}
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))[:-1].encode()
        last = cksum(text)
        lines.append(text + b',"sum":%d}\n' % last)
    return b"".join(lines)


def texts_of(notebook):
    return {note["text"] for note in notebook["notes"]}


def kept_texts(folder):
    """The texts in the file, and in files that were kept beside it under names that a user sees."""
    found = set()
    for path in glob.glob(os.path.join(folder, "*")):
        with open(path, "rb") as file:
            data = file.read()
        if data.startswith(b'{"journal"'):
            for line in Journal(data).lines:
                found |= {record["text"] for record in line.get("put", {}).get("notes", [])}
        else:
            found |= texts_of(json.loads(data))
    return found


def one(bench, tally, case, edit, number, is_moved):
    tally.cases += 1
    folder = bench.new_folder("replaced")
    path = os.path.join(folder, "store.json")
    with bench.driver(path, **SIZE, journal=LIMIT) as driver:
        driver.start("open", "change", "flush", "close")
        driver.end()
    with bench.driver(path, **SIZE, journal=LIMIT) as driver:
        # Three changes, of the notes 1 to 3.
        driver.start("open", *["change", "flush"] * 3)
        driver.kill()
    with open(journal_of(path), "rb") as file:
        journal = Journal(file.read())
    ours = {record["text"] for line in journal.lines[1:] for record in line["put"]["notes"]}
    theirs = replaced(path, edit, number, in_place=number % 2 == 0)
    if is_moved:
        with open(path, "rb") as file, open(journal_of(path), "wb") as target:
            target.write(moved(journal, file.read()))
    with bench.driver(path, **SIZE, journal=LIMIT) as driver:
        answers = driver.start("open", "close")
        ended_well(tally, driver.end(), case)
    if any(answer is None or answer.startswith("FAIL") for answer in answers):
        return tally.violation("other", f"{case}: {answers}")
    no_journal(tally, path, case)
    found = kept_texts(folder)
    for what, texts in (("acknowledged", ours), ("in the replaced file", theirs)):
        for text in sorted(texts - found):
            tally.violation("lost", f"{case}: “{text[:40]}…” was {what}")


def check(bench, tally, cases, is_moved=False):
    for number in range(cases):
        edit = EDITS[number % len(EDITS)]
        one(bench, tally, f"{edit.__name__} {number}", edit, number, is_moved)


def run(bench, tally):
    check(bench, tally, bench.count(100, 10))


def catch(bench, tally, _):
    check(bench, tally, bench.count(20, 5), is_moved=True)
