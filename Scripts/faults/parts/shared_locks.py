"""Things that have the name of a lock and are none. A shared store is not opened, and nothing is changed."""

import os

from .bench import read
from .judge import ended_well
from .sharing import JOURNALS, Party


def check(bench, tally):
    def directory(path):
        os.mkdir(path)

    def full_directory(path):
        os.makedirs(os.path.join(path, "inner"))

    def link(path):
        os.symlink("marks.json", path)

    def dangling_link(path):
        os.symlink("nothing", path)

    def pipe(path):
        os.mkfifo(path)

    def work_of_a_user(path):
        with open(path, "w") as file:
            file.write("my notes\n")

    def second_name(path):
        with open(path + ".other", "w") as file:
            file.write("")
        os.link(path + ".other", path)

    for make in (directory, full_directory, link, dangling_link, pipe, work_of_a_user, second_name):
        for exists in (True, False):
            for journal in JOURNALS:
                tally.cases += 1
                check_one(bench, tally, make, exists, journal)


def check_one(bench, tally, make, exists, journal):
    case = f"the lock is a {make.__name__.replace('_', ' ')}, {journal}, {'a' if exists else 'no'} file"
    with Party(bench, tally, case, journal=JOURNALS[journal]) as all_:
        if exists:
            first = all_.join("p0")
            first.write(3, 0)
            first.close()
        make(os.path.join(all_.folder, ".marks.json.lock"))
        before = listing(all_.folder)
        second = all_.guest("p1")
        second.start(None)
        answer = second.program.ask("open") or "ENDED"
        if not answer.startswith("FAIL"):
            tally.violation("silent", f"{case}: accepted: {answer}")
        elif "reservedName" not in answer or ".marks.json.lock" not in answer:
            tally.violation("other", f"{case}: {answer}")
        ended_well(tally, second.program.end(), case)
        if listing(all_.folder) != before:
            tally.violation("lost", f"{case}: {listing(all_.folder)} instead of {before}")


def listing(folder):
    """The kinds and contents of all that is there."""
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        status = os.lstat(path)
        is_plain = os.path.isfile(path) and not os.path.islink(path)
        found[name] = (status.st_mode, status.st_ino, read(path) if is_plain else None)
    return found
