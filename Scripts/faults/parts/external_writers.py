"""Programs without a lock: they read the store's file, wait, and write it, while the store saves."""

import glob
import json
import multiprocessing
import os
import random
import time

NAME = "external writers"
POLICIES = ["merge", "reload", "keep-ours", "fail"]
# The number of the store's own notes; it changes each of them repeatedly.
NOTES = 5
FIRST_OWN, FIRST_EXTERNAL = 1_000_000, 2_000_000


def edit(notebook, writer, number):
    """One more note, or one of the writer's own notes with more text; never one of the store's."""
    notes = {note["id"]: note for note in notebook["notes"]}
    note_id = FIRST_EXTERNAL + writer * 1_000 + number % 3
    if note_id in notes:
        notes[note_id]["text"] += f" and edit {number} of writer {writer}"
    else:
        notes[note_id] = {"id": note_id, "text": f"note {number} of writer {writer}", "archived": False,
                          "creationDate": "2024-01-02T03:04:05Z", "sortDate": "2024-01-02T03:04:05Z",
                          "modificationDate": "2024-01-02T03:04:05Z", "tags": [], "attachments": []}
    notebook["notes"] = [notes[key] for key in sorted(notes)]


def write_again_and_again(path, writer, seed, in_place, seconds, stale):
    """Runs in a process of its own. Counts the writes that took an older version for the newest."""
    draw = random.Random(seed)
    number, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(draw.random() * 0.02)
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            notebook = json.loads(text)
        except (OSError, ValueError):
            continue
        time.sleep(draw.random() * 0.05)
        # The text that was read claims to be unchanged, which is no longer true.
        notebook["snapshot"].pop("checksum", None)
        number += 1
        edit(notebook, writer, number)
        # Nothing protects the instant between the store's last check and its rename, so no time is lost here.
        changed = json.dumps(notebook)
        try:
            with open(path, encoding="utf-8") as file:
                is_stale = file.read() != text
            if in_place:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(changed)
            else:
                temporary = f"{path}.writer{writer}"
                with open(temporary, "w", encoding="utf-8") as file:
                    file.write(changed)
                os.replace(temporary, path)
        except OSError:
            continue
        with stale.get_lock():
            stale.value += is_stale


def texts(folder):
    """The texts of all notes anywhere: in the file, in kept files, in the store's own copy."""
    found = set()
    for path in glob.glob(os.path.join(folder, "*.json")):
        try:
            with open(path, encoding="utf-8") as file:
                found |= {note["text"] for note in json.load(file)["notes"]}
        except ValueError:
            # A writer in place was stopped in the middle.
            continue
    return found


def play(bench, tally, policy, writers, in_place, name, journal):
    folder = bench.new_folder("external")
    path = os.path.join(folder, "notes.json")
    stale = multiprocessing.Value("i", 0)
    seconds = bench.count(6, 2)
    acknowledged, latest = {}, {}
    with bench.driver(path, notes=3, external=policy, journal=journal) as driver:
        driver.start("open", "change", "flush")
        processes = [
            multiprocessing.Process(target=write_again_and_again,
                                    args=(path, writer, f"{bench.seed} {name} {writer}", in_place, seconds, stale))
            for writer in range(writers)]
        for process in processes:
            process.start()
        draw, number, end = bench.random(name), 0, time.monotonic() + seconds
        while time.monotonic() < end:
            number += 1
            own, text = FIRST_OWN + number % NOTES, f"text {number} of the store in {name.replace(' ', '-')}"
            driver.ask(f"add {own} paris {text}")
            latest[own] = text
            if (driver.ask("flush") or "").startswith("ACK"):
                acknowledged[own] = text
            time.sleep(draw.random() * 0.03)
        for process in processes:
            process.join()
        driver.ask("flush")
        driver.ask(f"copy {os.path.join(folder, 'memory.json')}")
        found = texts(folder)
        # A text that the store has replaced by an unsaved one is not lost either.
        lost = [text for own, text in acknowledged.items() if not found & {text, latest[own]}]
        tally.cases += number
        for text in lost:
            tally.violation("lost", f"{name}: “{text}” was acknowledged")
        if driver.ask("close") is None:
            tally.violation("crash", f"{name}: the store's process ended")
        driver.end()
    return stale.value


def run(bench, tally):
    stale = 0
    for policy in POLICIES:
        for writers in (1, 2):
            for in_place in (False, True):
                for turn in range(bench.count(5, 1)):
                    name = f"{policy} {writers} {'in place' if in_place else 'renaming'} {turn}"
                    # With a journal the file alone is older than the store.
                    journal = 2_000 if (turn + writers) % 2 else None
                    stale += play(bench, tally, policy, writers, in_place, name, journal)
    if stale == 0:
        tally.violation("other", "no writer has come too late, so nothing was shown")
    tally.notes.append(f"{stale} writes of an older version")
