"""The tests under the sanitizers; only in the long form, since each needs a build of its own."""

import os
import re
import subprocess

from .tally import Skipped

NAME = "sanitizers"
SCRIPT = os.path.join(os.path.dirname(__file__), "..", "..", "sanitize")
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
            continue
        tally.cases += int(found.group(1))
        tally.notes.append(f"{kind}: {found.group(1)} tests")
