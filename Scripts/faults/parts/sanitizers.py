"""The tests under the sanitizers, and programs that share a store; only in the long form, since each needs a build of
its own."""

import os
import re
import subprocess

from . import shared, sharing
from .tally import Skipped

NAME = "sanitizers"
SCRIPT = os.path.join(os.path.dirname(__file__), "..", "..", "sanitize")
PACKAGE = os.path.join(os.path.dirname(__file__), "..")
# A report ends the process. One that ends by exit leaks by design.
OPTIONS = {"TSAN_OPTIONS": "halt_on_error=1", "ASAN_OPTIONS": "detect_leaks=0"}
RAN = re.compile(r"Test run with (\d+) tests? .* passed")


def run(bench, tally):
    if not bench.long:
        raise Skipped("the long form only: Scripts/sanitize address, Scripts/sanitize thread")
    for kind in ["address", "thread"]:
        result = subprocess.run([SCRIPT, kind], capture_output=True, text=True)
        output = result.stdout + result.stderr
        found = RAN.search(output)
        if result.returncode != 0 or not found:
            reports = [line for line in output.splitlines() if "Sanitizer" in line or "recorded an issue" in line][:5]
            tally.violation("other", f"{kind}: {'; '.join(reports) or output[-2000:]}")
        else:
            tally.cases += int(found.group(1))
            tally.notes.append(f"{kind}: {found.group(1)} tests")
        share(bench, tally, kind)


def share(bench, tally, kind):
    """Programs that share a store, made with the sanitizer."""
    scratch = os.path.join(PACKAGE, "..", "..", ".build", f"programs-{kind}")
    result = subprocess.run(
        ["swift", "build", "--package-path", PACKAGE, "--scratch-path", scratch, "--sanitize", kind, "--product",
         "sharing-driver"], capture_output=True, text=True)
    if result.returncode != 0:
        return tally.violation("other", f"{kind}: {result.stdout[-1000:]}{result.stderr[-1000:]}")
    program = os.path.join(scratch, "debug", "sharing-driver")
    for case, journal in sharing.JOURNALS.items():
        note = shared.check(bench, tally, f"{kind}, {case}", journal, 6, 60, 3, killed=0.5, program=program,
                            environment=OPTIONS)
        tally.notes.append(note)
