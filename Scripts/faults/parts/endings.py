"""Programs that change a store and end without closing it, in every normal way."""

import concurrent.futures
import itertools
import json
import os
import shutil
import signal
import subprocess
import time

from .bench import read

NAME = "programs that end"
POLICIES = ["automatic", "immediate", "late", "manual"]
LIFETIMES = ["global", "local", "deallocated"]
ENDINGS = ["end", "exit", "exitElsewhere", "exitTwice", "exitInside", "exitBeside", "exitReported", "exitBesideReport",
           "signal", "signalWakes"]
TIME_LIMIT = 60


def end(bench, policy, lifetime, ending, count, delay):
    """Runs a program to its end; returns the folder, the exit code, and the output."""
    folder = bench.new_folder("ending")
    process = subprocess.Popen(
        [bench.ender, os.path.join(folder, "page.json"), policy, lifetime, ending, str(count)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
    try:
        if ending.startswith("signal"):
            process.stdout.readline()
            time.sleep(delay)
            process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=TIME_LIMIT)[1].decode()
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return folder, None, ""
    return folder, process.returncode, said


def judge(folder, code, said, policy, lifetime, ending, count):
    """The faults, as (kind, text)."""
    if code is None:
        return [("hang", f"took more than {TIME_LIMIT} s")]
    wrong = []
    expected = {"signal": [-signal.SIGTERM], "signalWakes": [0, -signal.SIGTERM]}.get(ending, [0])
    if code not in expected:
        wrong.append(("crash", f"ended with {code}: {said}"))
    try:
        ids = {line["id"] for line in json.loads(read(os.path.join(folder, "page.json")))["lines"]}
    except (OSError, ValueError) as error:
        return [("torn", repr(error))]
    lost = set(range(count)) - ids
    if policy == "manual":
        if lost and "policy is manual" not in said:
            wrong.append(("silent", f"{len(lost)} records were dropped, and it said: {said}"))
        lost &= set(range(count // 2 + 1))
    if lost:
        wrong.append(("lost", f"{len(lost)} of {count} records"))
    # A deallocated store watches nothing, so the program changes no file there.
    if ending in ("exitReported", "exitBesideReport") and lifetime != "deallocated" and -1 not in ids:
        wrong.append(("lost", "what someone else wrote"))
    names = [name for name in os.listdir(folder) if name.endswith((".lock", ".tmp"))]
    if names:
        wrong.append(("other", f"left {', '.join(names)}"))
    return wrong


def run(bench, tally):
    random = bench.random("endings")
    cases = [(*case, random.choice([2, 20, 400]), random.uniform(0, 0.02))
             for case in itertools.product(POLICIES, LIFETIMES, ENDINGS) for _ in range(bench.count(50, 1))]

    def check(case):
        policy, lifetime, ending, count, delay = case
        folder, code, said = end(bench, policy, lifetime, ending, count, delay)
        wrong = judge(folder, code, said, policy, lifetime, ending, count)
        shutil.rmtree(folder)
        return case, wrong

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, wrong in pool.map(check, cases):
            tally.cases += 1
            for kind, text in wrong:
                tally.violation(kind, f"{' '.join(map(str, case[:4]))}: {text}")
    # An end that saves nothing must be detected, or the checks above prove nothing.
    folder, code, said = end(bench, "late", "global", "abrupt", 20, 0)
    if not any(kind == "lost" for kind, _ in judge(folder, code, said, "late", "global", "abrupt", 20)):
        tally.violation("other", "the check is blind: a program that calls _exit loses nothing")
    tally.notes.append(f"{len(POLICIES)} policies × {len(LIFETIMES)} lifetimes × {len(ENDINGS)} endings")
